import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { createReadFileTool } from '../../../agent/tools/read-file.ts'
import type { Source, Sources } from '../../../agent/sources.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { Workspace } from '../../../agent/workspace.ts'
import { watchPrivateReads } from './private-reads.ts'

const tree = memoryTree({ 'a.ts': 'const limit = 5\n' })
const files = { ...tree, list: () => Promise.resolve(tree.entries()) }
const sourceOf = (name: string): Source => ({ name, files, history: {} as NonNullable<Source['history']> })
const sources: Sources = { present: [sourceOf('api'), sourceOf('sdk')], missing: [] }
const watch = (...turns: readonly Turn[]) =>
  watchPrivateReads(sources, { turns, findPrivate: () => Promise.resolve(new Set(['api'])) })

function turnOf(path: string, source?: string): Turn {
  const call = { id: 'c', name: 'read_file', input: { path }, isInvalid: false }
  const result = { callId: 'c', tool: 'read_file', text: '', isError: false, ...(source ? { facts: { source } } : {}) }
  return { number: 1, input: [], response: { calls: [call] } as unknown as Turn['response'], results: [result] }
}

test('a read of a private source counts at once, and one of a public source does not', async () => {
  const watched = watch()
  const read = (path: string) => {
    const context = {
      workspace: files as unknown as Workspace,
      sources: watched.sources,
      signal: new AbortController().signal,
    }
    return createReadFileTool().run({ path }, context)
  }
  assert.match((await read('@sdk/a.ts')).text, /const limit/)
  assert.equal(await watched.hasReadPrivate(), false)
  assert.match((await read('@api/a.ts')).text, /const limit/)
  assert.equal(await watched.hasReadPrivate(), true)
})

test('the history of a private source counts, its name does not', async () => {
  const watched = watch()
  assert.deepEqual(
    watched.sources.present.map(({ name }) => name),
    ['api', 'sdk'],
  )
  assert.ok(watched.sources.present[1]?.history)
  assert.equal(await watched.hasReadPrivate(), false)
  assert.ok(watched.sources.present[0]?.history)
  assert.equal(await watched.hasReadPrivate(), true)
})

test('stored turns say what the process before has read', async () => {
  const table: readonly (readonly [Turn, boolean])[] = [
    [turnOf('a.md'), false],
    [turnOf('@sdk/a.ts', 'sdk'), false],
    [turnOf('@api/a.ts', 'api'), true],
    [turnOf('@api/a.ts'), true],
    [turnOf('@gone/a.ts', 'gone'), true],
    [{ ...turnOf('@api/a.ts'), results: undefined }, false],
  ]
  for (const [turn, isPrivate] of table)
    assert.equal(await watch(turn).hasReadPrivate(), isPrivate, JSON.stringify(turn))
})
