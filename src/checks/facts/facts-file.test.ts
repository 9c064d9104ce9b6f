import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { docsSite, memoryTree } from '../../../test/support/docs-sites.ts'
import { createRandom } from '../../../test/support/random.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { checkTree } from '../check-tree.ts'
import type { SiteTree } from '../../sites/tree.ts'
import { openFactsFile } from './facts-file.ts'
import { factsVersion } from './facts-version.ts'
import { parseDataFacts, parsePageFacts } from './parse-facts.ts'
import { readData } from './read-data.ts'
import { readPage } from './read-page.ts'
import { createFactsReader } from './reader.ts'

const toText = (json: string) => JSON.parse(json) as unknown
const isPage = (path: string) => /\.mdx?$/.test(path)

test('the first check of a new process reads no page that an earlier one has read', async (t) => {
  const path = await pathOfFile(t)
  const site = docsSite('mintlify')
  const fault = {
    [site.page('guides/deploy')]: '---\ntitle: A\ntags:\n  - __proto__\n---\n\n<Card>\n\n[\ud83c\udf31 gone](/gone)\n',
  }
  const cold = await checkInNewProcess(path, memoryTree(site.files, fault))
  assert.ok(cold.read.filter(isPage).length >= 12)
  assert.deepEqual(cold.findings.map(({ kind }) => kind).toSorted(), ['anchor', 'link', 'mdx'])
  const warm = await checkInNewProcess(path, memoryTree(site.files, fault))
  assert.deepEqual(warm.read.filter(isPage), [])
  assert.deepEqual(warm.findings, cold.findings)
  const repaired = await checkInNewProcess(path, memoryTree(site.files))
  assert.deepEqual(repaired.read.filter(isPage), [site.page('guides/deploy')])
  assert.deepEqual(repaired.findings, [])
})

test('each line of a damaged file is right or missing, and is written again', async (t) => {
  const path = await pathOfFile(t)
  const used = new Map(Array.from({ length: 30 }, (_, at) => [`markdown ${at}`, { at, text: `Page ${at} \n\t ü` }]))
  const first = openFactsFile(path)
  await first.get('', toText)
  await first.save(used)
  const whole = await readFile(path)
  const random = createRandom(7)
  for (let round = 0; round < 40; round += 1) {
    const bytes = Buffer.from(whole)
    for (let flips = random.int(20); flips >= 0; flips -= 1) bytes[random.int(bytes.length)] = random.int(256)
    await writeFile(path, bytes.subarray(0, random.chance(0.5) ? random.int(bytes.length) : bytes.length))
    const file = openFactsFile(path)
    for (const [key, facts] of used) {
      const found = await file.get(key, toText)
      if (found !== undefined) assert.deepEqual(found, facts, `round ${round}`)
    }
    await file.save(used)
    const again = openFactsFile(path)
    for (const [key, facts] of used) assert.deepEqual(await again.get(key, toText), facts, `round ${round}`)
  }
})

test('JSON that is no facts is refused', () => {
  const facts = readPage(
    'markdown',
    '---\ntitle: A\n__proto__: B\n---\n\n# \ud83c\udf31\n\n[a](b) ![c](d.png)\n\n--8<-- "e"\n',
  )
  assert.deepEqual(parsePageFacts(JSON.stringify(facts)), facts)
  const lies = [
    null,
    [],
    'links',
    {},
    { links: [] },
    { ...facts, more: 1 },
    { ...facts, isOpen: 'yes' },
    { ...facts, openFence: 1.5 },
    { ...facts, links: [{ kind: 'link', url: 1, line: 1 }] },
    { ...facts, links: [{ kind: 'script', url: 'a', line: 1 }] },
    { ...facts, links: { length: 1e9 } },
    { ...facts, headings: [{ text: 'A', line: -1 }] },
    { ...facts, frontmatter: { line: 1, problem: null, names: [], strings: { a: {} } } },
    { ...facts, problem: { line: 1 } },
  ]
  for (const lie of lies) assert.equal(parsePageFacts(JSON.stringify(lie)), undefined, JSON.stringify(lie))
  assert.equal(parsePageFacts(JSON.stringify(facts).slice(1)), undefined)
  const data = readData('a.json', '{"openapi":"3.1.0","a":{"$ref":"#/b"}}')
  assert.deepEqual(parseDataFacts(JSON.stringify(data)), data)
  assert.equal(parseDataFacts(JSON.stringify({ ...data, pointers: [1] })), undefined)
})

test('a full file keeps what the last check used, and never exceeds its limit', async (t) => {
  const path = await pathOfFile(t)
  const limit = 2_000
  const entry = (name: string) => [name, 'x'.repeat(300)] as const
  const size = async () => (await stat(path)).size
  for (const step of [0, 1, 2, 3]) {
    const file = openFactsFile(path, limit)
    await file.get('', toText)
    await file.save(new Map([entry('always'), entry(`a${step}`), entry(`b${step}`)]))
    assert.ok((await size()) <= limit)
    const again = openFactsFile(path, limit)
    for (const name of ['always', `a${step}`, `b${step}`]) assert.equal(await again.get(name, toText), 'x'.repeat(300))
  }
  assert.equal(await openFactsFile(path, limit).get('a1', toText), undefined)
  const length = await size()
  assert.equal(await openFactsFile(path, length).get('always', toText), 'x'.repeat(300))
  assert.equal(await openFactsFile(path, length - 1).get('always', toText), undefined)
})

test('several processes add to one file', async (t) => {
  const path = await pathOfFile(t)
  const files = Array.from({ length: 4 }, () => openFactsFile(path))
  await Promise.all(files.map((file) => file.get('', toText)))
  const used = (at: number) =>
    new Map([
      ['shared', 'all'],
      [`own ${at}`, at],
    ] as [string, unknown][])
  await Promise.all(files.map((file, at) => file.save(used(at))))
  const file = openFactsFile(path)
  assert.equal(await file.get('shared', toText), 'all')
  for (const at of files.keys()) assert.equal(await file.get(`own ${at}`, toText), at)
})

test('a file that was deleted is written again, and a missing folder is no error', async (t) => {
  const path = await pathOfFile(t)
  const file = openFactsFile(path)
  await file.get('a', toText)
  await file.save(new Map([['a', 1]]))
  await removeFolder(path)
  await file.save(
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
  )
  assert.equal(await openFactsFile(path).get('a', toText), 1)
  const nowhere = openFactsFile(join(path, 'no', 'folder'))
  assert.equal(await nowhere.get('a', toText), undefined)
  await nowhere.save(new Map([['a', 1]]))
})

test('facts of another version are not used', async (t) => {
  const path = await pathOfFile(t)
  const other = 'f'.repeat(factsVersion.length)
  await writeFile(path, lineOf('old', '1', other) + lineOf('new', '2'))
  const file = openFactsFile(path)
  assert.deepEqual([await file.get('old', toText), await file.get('new', toText)], [undefined, 2])
})

async function pathOfFile(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('facts')
  t.after(() => removeFolder(folder))
  return join(folder, 'docent-facts')
}

/** Returns the findings, and the files that were read. */
async function checkInNewProcess(path: string, tree: SiteTree) {
  const reader = createFactsReader(1)
  const read: string[] = []
  const counted: SiteTree = {
    entries: () => tree.entries(),
    read: (name) => {
      read.push(name)
      return tree.read(name)
    },
  }
  try {
    const { signal } = new AbortController()
    const { findings } = await reader.keptIn(path, (facts) => checkTree(counted, { facts, signal }))
    return { findings, read }
  } finally {
    await reader.close()
  }
}

function lineOf(key: string, json: string, version = factsVersion): string {
  const rest = ` ${version} ${key}\t${json}`
  return `\n${crc32(rest).toString(16).padStart(8, '0')}${rest}\n`
}
