// The tools in a run with sources: reading tools find them under `@name/`, and nothing that writes accepts one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace, type MemoryFile } from '../../../test/support/memory-workspace.ts'
import { Failure } from '../../lib/failure.ts'
import { toErrorResult } from '../run-tools.ts'
import { besideSources, type Sources } from '../sources.ts'
import { createTools } from './all.ts'

const docs: Record<string, MemoryFile> = {
  'docs/flags.md': 'Use `--old`.\n',
  '@web/notes.md': 'A folder of the documentation.\n',
}
const api: Record<string, MemoryFile> = {
  'README.md': '# API\n',
  'src/flags.ts': "export const flag = '--new'\n",
  'src/gen/flags.ts': "export const flag = '--new'\n",
}

function setUp() {
  const sources: Sources = {
    present: [
      { name: 'api', files: createMemoryWorkspace(api) },
      { name: 'web', files: createMemoryWorkspace({ 'notes.md': 'A source.\n' }) },
    ],
    missing: [{ name: 'cli', reason: 'The host did not answer.' }],
  }
  const workspace = besideSources(createMemoryWorkspace(docs), sources)
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const tool = createTools().find((one) => one.name === name)
    assert.ok(tool)
    const { text } = await tool
      .run(tool.input.parse(input), { workspace, sources, signal: AbortSignal.timeout(5_000) })
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
        return toErrorResult(error)
      })
    return text
  }
  return { call, workspace }
}

test('a file of a source is read under its name', async () => {
  const { call } = setUp()
  assert.equal(await call('read_file', { path: '@api/README.md' }), '[all 1 line of @api/README.md]\n# API\n')
  assert.match(
    await call('read_file', { path: '@api/flags.ts' }),
    /no file @api\/flags\.ts\. Did you mean @api\/src\/flags\.ts/,
  )
})

test('a list and a search are about the documentation, or about one source', async () => {
  const { call } = setUp()
  assert.doesNotMatch(await call('list_files', {}), /@api/)
  assert.match(await call('list_files', { glob: '@api' }), /^\[3 files fit @api\]\n@api\/README\.md\t6\n/)
  assert.match(await call('list_files', { glob: '@api/src/*.ts' }), /\n@api\/src\/flags\.ts\t28$/)
  assert.match(await call('search', { pattern: '--old' }), /docs\/flags\.md:1: /)
  assert.match(await call('search', { pattern: '--new' }), /nothing found/)
  const found = '@api/src/flags.ts:1: export'
  for (const exclude of ['src/gen/**', '@api/src/gen', '**/gen/**']) {
    const text = await call('search', { pattern: '--new', glob: '@api', exclude })
    assert.ok(text.includes(found) && !text.includes('gen/'), `${exclude}: ${text}`)
  }
  assert.match(await call('search', { pattern: 'flag', glob: '@api/src/**', context: 1 }), /@api\/src\/gen\/flags\.ts/)
  assert.match(await call('search', { pattern: 'x', glob: '@api/**,docs/**' }), /about one source or about the doc/)
})

test('a source that a run lacks says why', async () => {
  const { call } = setUp()
  for (const [tool, input] of [
    ['read_file', { path: '@cli/main.go' }],
    ['search', { pattern: 'x', glob: '@cli/**' }],
    ['list_files', { glob: '@cli' }],
  ] as const) {
    assert.equal(await call(tool, input), 'The source @cli is missing in this run: The host did not answer.')
  }
})

test('nothing that writes accepts a path in a source', async () => {
  const { call, workspace } = setUp()
  const path = '@api/README.md'
  const edits = [
    ['write_file', { path, content: 'x' }],
    ['write_file', { path: '@api/new.md', content: 'x' }],
    ['write_file', { path: '@cli/new.md', content: 'x' }],
    ['edit_file', { path, edits: [{ oldText: '# API', newText: 'x' }] }],
    ['move_file', { from: path, to: 'docs/api.md' }],
    ['move_file', { from: 'docs/flags.md', to: '@api/flags.md' }],
    ['delete_file', { path }],
  ] as const
  for (const [tool, input] of edits) {
    assert.match(await call(tool, input), /is a source, which is only read/, `${tool} ${JSON.stringify(input)}`)
  }
  assert.deepEqual((await workspace.list()).map((entry) => entry.path).toSorted(), ['@web/notes.md', 'docs/flags.md'])
})

test('a folder of the documentation with the name of a source is under ./', async () => {
  const { call } = setUp()
  assert.match(await call('read_file', { path: '@web/notes.md' }), /A source\./)
  assert.match(await call('read_file', { path: './@web/notes.md' }), /A folder of the documentation\./)
  assert.match(await call('write_file', { path: './@web/notes.md', content: 'New.\n' }), /@web\/notes\.md/)
  assert.match(await call('read_file', { path: './@web/notes.md' }), /New\./)
  assert.match(await call('read_file', { path: '@web/notes.md' }), /A source\./)
})
