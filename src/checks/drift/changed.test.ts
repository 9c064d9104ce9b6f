// Drift that a change brings, on a small history of real git.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/memory-tree.ts'
import { createClone } from '../../../test/support/source-clone.ts'
import { openClone } from '../../git/past/past.ts'
import { areAllPresent, changedPages, findAddedNames } from './changed.ts'
import { type DocsPages, findDriftIn } from './drift.ts'

async function docsOf(files: Readonly<Record<string, string>>): Promise<DocsPages> {
  const tree = memoryTree(files)
  return { tree, pages: (await checkFiles(tree)).index.pages }
}

async function openSource(t: TestContext) {
  const options = (name: string) => `export const options = {\n  "${name}": number(100),\n}\n`
  const source = await openClone(
    createClone(t, [{ 'src/a.ts': options('max-lines') }, { 'src/a.ts': options('max-rows') }]),
    { name: 'api' },
  )
  t.after(() => source.close())
  return source
}

test('states of a documentation are compared with one look at the sources', async (t) => {
  const source = await openSource(t)
  let reads = 0
  const counting: typeof source = { ...source, files: (signal) => ((reads += 1), source.files(signal)) }
  const [before, after] = await findDriftIn(
    [
      await docsOf({ 'a.md': '# Use\n\nSet `--max-lines`.\n' }),
      await docsOf({ 'a.md': '# Use\n\nSet `--max-rows`.\n' }),
    ],
    { sources: [counting], timeMs: 60_000, signal: t.signal },
  )
  assert.deepEqual([before?.findings.map(({ target }) => target), after?.findings, reads], [['--max-lines'], [], 1])
})

test('with a source that is missing, nothing is found, and every term is not judged', async (t) => {
  const [drift] = await findDriftIn([await docsOf({ 'a.md': '# Use\n\nSet `--max-lines`.\n' })], {
    sources: [await openSource(t)],
    missing: ['core'],
    signal: t.signal,
  })
  assert.deepEqual(drift?.findings, [])
  assert.deepEqual(drift.coverage, {
    judged: 0,
    notJudged: [{ reason: 'source', count: 1, example: 'a.md:3 --max-lines' }],
  })
  assert.deepEqual(drift.basis.missing, ['core'])
})

test('names and values that a state adds are told from those of the state before', async () => {
  const before = await docsOf({ 'a.md': '# Use\n\nSet `--max-lines`.\n\nSet `--retries` (default `3`).\n' })
  const after = await docsOf({ 'a.md': '# Use\n\nSet `--dry-run`.\n\nSet `--retries` (default `3`).\n' })
  const { terms, hasValues } = await findAddedNames([before, after])
  assert.deepEqual([terms.map(({ text }) => text), hasValues], [['--dry-run'], false])
  assert.deepEqual([areAllPresent(terms, new Set()), areAllPresent(terms, new Set(['dryrun']))], [false, true])
  const value = await docsOf({ 'a.md': '# Use\n\nSet `--max-lines`.\n\nSet `--retries` (default `5`).\n' })
  assert.equal((await findAddedNames([before, value])).hasValues, true)
})

test('the changed pages are those that differ, were added or are gone', async () => {
  const before = await docsOf({ 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n' })
  const after = await docsOf({ 'a.md': '# A\n', 'b.md': '# Other\n', 'd.md': '# D\n' })
  const paths = changedPages([before, after]).map(({ pages }) => pages.map(({ path }) => path))
  assert.deepEqual(paths, [
    ['b.md', 'c.md'],
    ['b.md', 'd.md'],
  ])
})
