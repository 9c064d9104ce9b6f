import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { findQuoted } from './quoted.ts'

const code = Array.from({ length: 30 }, (_, at) => `  const setting${at} = readSetting('name-${at}')`)
const files = {
  'src/settings.ts': `${code.join('\n')}\n`,
  'deploy.yml': 'host: db.eu.corp\nother: 10.1.2.3\n',
}
const sources = [{ name: 'core', files: createMemoryWorkspace(files) }]
const find = (after: string, before = '') =>
  findQuoted([{ path: 'docs/a.md', before, after }], sources, AbortSignal.timeout(5_000))
const page = (lines: readonly string[]) => `# A\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`

test('ten lines of a private source are found, nine are not', async () => {
  for (const start of [0, 3, 7, 20]) {
    const [found, ...others] = await find(page(code.slice(start, start + 10)))
    const place = { path: 'docs/a.md', line: 4, source: 'core', sourcePath: 'src/settings.ts', sourceLine: start + 1 }
    assert.deepEqual([found, others], [{ ...place, lines: 10 }, []])
    assert.deepEqual(await find(page(code.slice(start, start + 9))), [])
  }
})

test('other indentation and blank lines hide nothing', async () => {
  const shown = code.slice(4, 16).map((line) => `\t${line.trim()}  `)
  const [found] = await find(page(shown).replaceAll('\n', '\r\n\r\n'))
  assert.equal(found && 'lines' in found && found.lines, 12)
})

test('lines that the page had before are not found again', async () => {
  const before = page(code.slice(0, 12))
  assert.deepEqual(await find(`${before}\nMore words.\n`, before), [])
  assert.equal((await find(page(code.slice(0, 24)), before)).length, 1)
})

test('lines without words, and lines of other repositories, are not found', async () => {
  const braces = Array.from({ length: 20 }, () => '}')
  const own = { name: 'core', files: createMemoryWorkspace({ 'a.ts': braces.join('\n') }) }
  const change = { path: 'docs/a.md', before: '', after: page(braces) }
  assert.deepEqual(await findQuoted([change], [own], AbortSignal.timeout(5_000)), [])
  assert.deepEqual(await find(page(code.map((line) => line.toUpperCase()))), [])
})

test('an internal host name of a private source is found', async () => {
  const hosts = async (after: string, before = '') =>
    (await find(after, before)).map((one) => 'host' in one && one.host)
  assert.deepEqual(await hosts('Connect to https://DB.eu.corp:5432/x.'), ['db.eu.corp'])
  assert.deepEqual(await hosts('Connect to 10.1.2.3.\n'), ['10.1.2.3'])
  assert.deepEqual(await hosts('Old: db.eu.corp\nNew words.', 'Old: db.eu.corp\n'), [])
  for (const other of ['web.eu.corp', 'db.eu.corporation.example', '10.1.2.34', 'example.com', 'a.local.example']) {
    assert.deepEqual(await hosts(`Connect to ${other}.`), [], other)
  }
})
