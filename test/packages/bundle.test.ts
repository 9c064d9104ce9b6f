// The bundle of the service: its files, and what their source maps say.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { packOnce } from './packed.ts'

let sources: string
before(async () => {
  const { packages } = await packOnce()
  sources = join(packages.find(({ name }) => name === 'service')?.folder ?? assert.fail(), 'src')
})

test('every file that the package of the service names is in it', async () => {
  const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.js'))
  const named = new Set<string>()
  for (const file of files) {
    const text = await readFile(join(sources, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import|import\() ?"(\.[^"]+)"/g)) {
      named.add(join(dirname(file), name))
    }
    for (const [, name = '', of = ''] of text.matchAll(/new URL\("([^"]+)", urlOf\("([^"]+)"\)\)/g)) {
      named.add(join(dirname(of), name))
    }
    for (const [, of = '', name = ''] of text.matchAll(/createRequire\(urlOf\("([^"]+)"\)\)\("([^"]+)"\)/g)) {
      named.add(join(dirname(of), name))
    }
    for (const [, name = '', of = ''] of text.matchAll(/readDescription\("([^"]+)", urlOf\("([^"]+)"\)\)/g)) {
      named.add(join(dirname(of), `${name}.md`))
    }
    assert.doesNotMatch(text, /^\/\/ (?:#region )?(?:\.\.|\/)/m, `${file} names a place outside of the checkout`)
  }
  const missing = [...named].filter((name) => !existsSync(join(sources, name)))
  assert.deepEqual(missing, [])
  const found = [
    'docs-syntax/remark/remark.js',
    'checks/facts/worker.js',
    'agent/tools/check.md',
    'postgres/template.tar.br',
  ]
  for (const name of found) {
    assert.ok(named.has(name), name)
  }
  assert.ok(files.length > 100 && !files.some((file) => file.includes('.test.')))
})

test('the source maps of the service lead to the lines of the sources', async () => {
  const text = 'function unpackTemplate('
  for (const file of (await readdir(sources)).filter((name) => name.endsWith('.js'))) {
    const lines = (await readFile(join(sources, file), 'utf8')).split('\n')
    const line = lines.findIndex((one) => one.includes(text))
    if (line < 0) continue
    const map = JSON.parse(await readFile(join(sources, `${file}.map`), 'utf8')) as SourceMapPayload
    const found = new SourceMap(map).findEntry(line, lines[line]?.indexOf(text) ?? 0)
    assert.ok('originalSource' in found)
    assert.equal(found.originalSource, 'postgres/template.ts')
    const original = await readFile(new URL(`../../src/${found.originalSource}`, import.meta.url), 'utf8')
    assert.ok(original.split('\n')[found.originalLine]?.includes(text))
    return
  }
  assert.fail(`no file has ${text}`)
})
