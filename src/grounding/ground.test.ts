import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../test/support/memory-workspace.ts'
import { findUngrounded } from './ground.ts'
import type { Files } from './places.ts'

const code = {
  'src/flags.ts': 'export const flags = {\n  maxLines: 30,\n  watch: false,\n}\n\nclass Client {\n  close() {}\n}\n',
  'src/other.ts': `export const port = 8080\n${'\n'.repeat(40)}const retries = 5\n`,
  'src/meta.ts': "const prefix = '__meta_azure_'\nconst name = 'machine_ip'\n",
  'docs/old.md': '# Old\n\nRun `acme serve --watch`.\n',
  'package-lock.json': '{ "inventedInLock": 1 }\n',
  'vendor/x.js': 'inventedInVendor()\n',
}

async function ungrounded(
  added: string,
  more: { texts?: readonly string[]; files?: Files; before?: string; path?: string } = {},
) {
  const { texts = [], files = createMemoryWorkspace(code), before = '# Page\n', path = 'docs/page.md' } = more
  const places = [{ name: '', files }]
  const change = { texts: [{ path, before, after: `${before}\n${added}\n` }], left: [] }
  const signal = new AbortController().signal
  const found = await findUngrounded(change, { places, texts, own: ['acme'], signal })
  return { ...found, terms: found.ungrounded.map(({ line, term }) => `${line} ${term}`) }
}

const cases: readonly (readonly [added: string, terms: readonly string[]])[] = [
  ['Use `maxLines` or `--max-lines`.', []],
  ['Use `maxLine`.', ['3 maxLine']],
  ['Use `maxlines`.', ['3 maxlines']],
  ['Use `--max-line`.', ['3 --max-line']],
  ['Use `inventedInLock` and `inventedInVendor`.', ['3 inventedInLock', '3 inventedInVendor']],
  ['See `Client.close` and `flags.watch`.', []],
  ['See `Client.watch`.', ['3 Client.watch']],
  ['See `src/flags.ts`, `flags.ts` and `docs/old`.', []],
  ['See `src/flag.ts`.', ['3 src/flag.ts']],
  ['The default of `port` is `8080`.', []],
  ['The default of `port` is `8081`.', ['3 8081']],
  ['The default of `port` is `5`.', ['3 5']],
  ['`maxLines: 40`', ['3 40']],
  ['`acme serve --watch`', []],
  ['`acme serve --max-lines 30`', ['3 serve --max-lines']],
  ['Run `npm install anything-else --save-dev`, then `npx acme serve --wach`.', ['3 --wach']],
  ['Press `Ctrl-Alt-x`, read `/etc/hosts`, set `MY_NAME` and `your-key`.', []],
  ['The label `__meta_azure_machine_ip`.', []],
  ['See [`other-product`](https://other.example/).', []],
  ['`GET /v1/invented`', ['3 /v1/invented']],
  ['```ts\nconst own = flags.watch\nown.madeThisUp()\n// inventedInComment\n```', ['5 own.madeThisUp']],
  ['Plain words, in-between and e.g. this.', []],
]

test('names, places and values that are nowhere are listed', async () => {
  for (const [added, terms] of cases) assert.deepEqual((await ungrounded(added)).terms, terms, added)
})

test('terms of the page before, of a person and of a fetched page are known', async () => {
  const added = 'Use `brandNewFlag`, whose default of `brandNewFlag` is `12`.'
  assert.deepEqual((await ungrounded(added)).terms, ['3 brandNewFlag'])
  assert.deepEqual((await ungrounded(added, { texts: ['brandNewFlag is 12 by default'] })).terms, [])
  assert.deepEqual((await ungrounded(added, { before: `# Page\n\n${added}\n` })).terms, [])
})

test('a value is known only near the name that it belongs to', async () => {
  assert.deepEqual((await ungrounded('The default of `retries` is `8080`.')).terms, ['3 8080'])
  assert.deepEqual((await ungrounded('The default of `retries` is `5`.')).terms, [])
  assert.deepEqual((await ungrounded('`retries` waits 5 seconds.')).terms, [])
  assert.deepEqual((await ungrounded('`retries` waits 7 seconds.')).terms, ['3 7 seconds'])
})

test('terms that could not be looked up are counted, and never listed', async () => {
  const files = createMemoryWorkspace(code)
  const broken: Files = { ...files, search: () => Promise.reject(new Error('too slow')) }
  const { judged, notJudged, terms } = await ungrounded('Use `maxLines` and `invented`.', { files: broken })
  const unknown = ['maxLines', 'invented'].map((term) => ({ path: 'docs/page.md', line: 3, term }))
  assert.deepEqual({ judged, notJudged, terms }, { judged: 0, notJudged: unknown, terms: [] })
})

test('other files than pages say nothing', async () => {
  assert.deepEqual((await ungrounded('`inventedName`', { path: 'src/a.ts' })).terms, [])
})

test('names that code puts together are made of its pieces, to the last letter', async () => {
  const files = createMemoryWorkspace({
    'a.go': 'x = "__meta_" + "cache_" + "cluster_" + "node_id"\nenv := "ORBIT_"\ntype T struct { max_lines int }\n',
    'b.rs': 'enum Case { FilePath }\n',
  })
  for (const [name, terms] of [
    ['__meta_cache_cluster_node_id', []],
    ['ORBIT_MAX_LINES', []],
    ['file-path', []],
    ['__meta_cache_cluster_node_ids', ['3 __meta_cache_cluster_node_ids']],
    ['__meta_cash_cluster_node_id', ['3 __meta_cash_cluster_node_id']],
    ['ORBIT_MAX_LINE', ['3 ORBIT_MAX_LINE']],
    ['file-Path', ['3 file-Path']],
  ] as const)
    assert.deepEqual((await ungrounded(`Use \`${name}\`.`, { files })).terms, terms, name)
})
