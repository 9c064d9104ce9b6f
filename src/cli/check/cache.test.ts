// The facts that `docent check` keeps between two runs: they change nothing but the time.

import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { runCommand } from '../../../test/support/command.ts'
import { docsSite } from '../../../test/support/docs-sites.ts'
import { type Cleanup, temporaryFolder } from '../../../test/support/git-remote.ts'
import { writeFiles } from '../../../test/support/temporary.ts'
import { siteKinds } from '../../sites/kinds.ts'

const gone = { 'guides/gone.md': '# Gone\n\n[1](./missing.md)\n' }

test('a second check reads the kept facts, unless --no-cache is given', async (t) => {
  const { folder, environment, facts } = writeAll(t, gone)
  const first = await check(folder, environment)
  assert.match(first, /missing\.md/)
  assert.equal(statSync(facts()).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(facts())).mode & 0o777, 0o700)
  // Other facts under the same keys tell from where they were read.
  const changed = readFileSync(facts(), 'utf8')
    .replace('missing.md', 'kept.md')
    .split('\n')
    .map((line) => (line === '' ? '' : crc32(line.slice(8)).toString(16).padStart(8, '0') + line.slice(8)))
  writeFileSync(facts(), changed.join('\n'))
  assert.match(await check(folder, environment), /kept\.md/)
  assert.equal(await check(folder, environment, '--no-cache'), first)
  // A page that changed is read again.
  writeFiles(folder, { 'guides/gone.md': `${gone['guides/gone.md']}\nMore.\n` })
  assert.equal(await check(folder, environment), first)
})

test('checks with and without kept facts find the same, of every kind of site', async (t) => {
  const { folder, environment } = writeAll(t)
  for (const kind of siteKinds) {
    const site = docsSite(kind)
    for (const [path, text] of Object.entries(site.files)) writeFiles(folder, { [join(kind, path)]: text })
    writeFiles(folder, { [join(kind, site.page('guides/extra'))]: '[1](./none.md) <a name="x"></a> [2](#x) [3](#y)\n' })
  }
  const whole = await check(folder, {}, '--json')
  assert.equal(await check(folder, environment, '--json'), whole)
  assert.equal(await check(folder, environment, '--json'), whole)
})

for (const [name, damage] of [
  ['a truncated file', (facts: string) => truncateSync(facts, 500)],
  ['a file of noise', (facts: string) => writeFileSync(facts, Buffer.alloc(10_000, 7))],
  ['a folder in its place', (facts: string) => (rmSync(facts), mkdirSync(facts))],
] as const)
  test(`${name} costs a check only time`, async (t) => {
    const { folder, environment, facts } = writeAll(t, gone)
    const first = await check(folder, environment)
    damage(facts())
    assert.equal(await check(folder, environment), first)
    assert.equal(await check(folder, environment), first)
  })

for (const [name, place] of [
  ['that others can write to', (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ['that is a link', (folder: string) => (mkdirSync(`${folder}-2`), symlinkSync(`${folder}-2`, folder))],
  ['that is a file', (folder: string) => writeFileSync(folder, '')],
] as const)
  test(`a folder for the cache ${name} is left alone`, async (t) => {
    const { folder, environment, cache } = writeAll(t, gone)
    place(join(cache, 'docent'))
    assert.equal(await check(folder, environment), await check(folder, {}))
    assert.deepEqual(existsSync(`${cache}/docent/facts`) ? readdirSync(`${cache}/docent/facts`) : [], [])
  })

test('two checks at the same time keep what a third one needs', async (t) => {
  const { folder, environment, facts } = writeAll(t, gone)
  const [one, other] = await Promise.all([check(folder, environment), check(folder, environment)])
  assert.equal(one, other)
  const before = readFileSync(facts())
  assert.equal(await check(folder, environment), one)
  assert.deepEqual(readFileSync(facts()), before)
})

test('files that were not used for the longest time go beyond 200 MB', async (t) => {
  const { folder, environment, cache, facts } = writeAll(t, gone)
  await check(folder, environment)
  const own = facts()
  const add = (name: string, megabytes: number, day: number) => {
    const path = join(cache, 'docent/facts', name)
    writeFileSync(path, '')
    truncateSync(path, megabytes * 1e6)
    utimesSync(path, new Date(day * 86_400_000), new Date(day * 86_400_000))
  }
  add('oldest', 10, 1)
  add('older', 100, 2)
  add('old', 100, 3)
  await check(folder, environment)
  assert.deepEqual(new Set(readdirSync(dirname(own))), new Set([basename(own), 'old']))
})

async function check(folder: string, environment: Record<string, string>, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(['check', folder, ...options], environment)
  assert.doesNotMatch(stderr, /unexpected|Error/)
  return stdout
}

function writeAll(t: Cleanup, more: Readonly<Record<string, string>> = {}) {
  const [folder, cache] = [temporaryFolder(t), temporaryFolder(t)]
  writeFiles(folder, { ...docsSite('mkdocs').files, ...more })
  const facts = () => {
    const [name = 'none'] = readdirSync(join(cache, 'docent/facts'))
    return join(cache, 'docent/facts', name)
  }
  return { folder, cache, facts, environment: { XDG_CACHE_HOME: cache } }
}
