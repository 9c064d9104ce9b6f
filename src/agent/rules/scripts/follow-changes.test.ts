import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { runRules, user } from '../../../../test/support/rules-loop.ts'
import { Failure } from '../../../lib/failure.ts'
import type { History, ShownFile } from '../../history.ts'
import type { Sources } from '../../sources.ts'
import { createRulesModel } from '../rules-model.ts'
import { findRenames } from './follow-changes.ts'

const diff = (path: string, ...lines: readonly string[]): ShownFile => ({
  path,
  previousPath: null,
  status: 'modified',
  left: null,
  patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines.join('\n')}\n`,
})

function sourcesWith(
  files: Readonly<Record<string, string>>,
  changed: readonly ShownFile[],
  asked: string[] = [],
): Sources {
  const history: History = {
    hasTags: true,
    log: () => Promise.resolve({ commits: [], hasMore: false }),
    change: (range, path) => {
      if (!('from' in range) || range.from === 'v9') throw new Failure('invalid_input', 'There is no v9.')
      asked.push(`${range.from} ${path ?? ''}`)
      const shown = path === undefined ? changed : changed.filter((file) => file.path === path)
      return Promise.resolve({ from: 'a'.repeat(40), to: 'b'.repeat(40), files: shown, isCut: false })
    },
    at: () => Promise.reject(new Failure('invalid_input', 'Not here.')),
  }
  return { present: [{ name: 'tool', files: createMemoryWorkspace(files), history }], missing: [] }
}

const docs = {
  'docs/flags.md':
    '# Flags\n\nUse `--max-lines` or `--max-lines-all`; ACME_HOME is the folder.\n\n```sh\nacme --max-lines 3\n```\n',
  'docs/other.md': 'The `--keep` flag.\n',
}

async function run(sources: Sources, prompt: string) {
  const workspace = createMemoryWorkspace(docs)
  const { finish } = await runRules({ model: createRulesModel(), workspace, sources, prompt: [user(prompt)] })
  return { finish, texts: workspace.texts() }
}

test('a flag and a variable that a source renamed are renamed in the docs', async () => {
  const asked: string[] = []
  const filler = Array.from({ length: 400 }, (_, at) => ` line ${at}`)
  const changed = [
    diff(
      'src/a.ts',
      ...filler,
      "-  option('--max-lines', 'The most lines')",
      "+  option('--line-limit', 'The most lines')",
    ),
    diff('src/b.ts', '-const home = env.ACME_HOME', '+const home = env.ACME_DIR'),
  ]
  const files = { 'src/a.ts': "option('--line-limit')\noption('--max-lines-all')\n", 'src/b.ts': 'env.ACME_DIR\n' }
  const { finish, texts } = await run(sourcesWith(files, changed, asked), 'Update the docs for the changes since v1.2')
  assert.deepEqual(asked, ['v1.2 ', 'v1.2 src/a.ts'])
  assert.equal(
    texts['docs/flags.md'],
    '# Flags\n\nUse `--line-limit` or `--max-lines-all`; ACME_DIR is the folder.\n\n```sh\nacme --line-limit 3\n```\n',
  )
  assert.ok(finish.kind === 'change')
  assert.equal(finish.title, 'Update the docs for the changes of @tool since v1.2')
  assert.match(finish.summary, /Replaced “--max-lines” by “--line-limit” 2 times/)
})

test('a name that the source still has is no rename', async () => {
  const changed = [diff('src/a.ts', "-  a('--keep')", "+  a('--hold')")]
  const sources = sourcesWith({ 'src/other.ts': "b('--keep')\n" }, changed)
  const { finish } = await run(sources, 'Please update the documentation for all changes of @tool since the last tag.')
  assert.ok(finish.kind === 'no_change')
  assert.match(finish.reason, /No flag, variable or name of @tool was renamed since last-tag/)
})

test('a commit that is not known is reported', async () => {
  const { finish } = await run(sourcesWith({}, []), 'Update the docs for the changes since v9')
  assert.ok(finish.kind === 'no_change')
  assert.match(finish.reason, /@tool: There is no v9\./)
})

test('only lines that differ in names alone are a rename', () => {
  const cases: readonly (readonly [lines: string[], found: [string, string][]])[] = [
    [['-a(--x-y)', '+a(--x-z)'], [['--x-y', '--x-z']]],
    [
      ['-a(--x-y, B_C)', '+a(--x-z, B_D)'],
      [
        ['--x-y', '--x-z'],
        ['B_C', 'B_D'],
      ],
    ],
    [
      ["-  maxColumns: '--max-columns',", "+  width: '--width',"],
      [
        ['maxColumns', 'width'],
        ['--max-columns', '--width'],
      ],
    ],
    [['-max_size = 3', '+max_size = 4'], []],
    [['-old name here', '+new name here'], []],
    [['-a(--x-y, 1)', '+a(--x-z, 2)'], []],
    [['-a(--x-y)', '-b(--x-y)', '+a(--x-z)', '+b(--x-z)'], [['--x-y', '--x-z']]],
    [['-a(--x-y)', '+a(--x-z)', ' same', '-b(--x-y)', '+b(--x-w)'], []],
    [['-a(--x-y)', '+a(--x-z)', '+more'], []],
    [['-a.b_c(1)', '+a.b_d(1)'], [['b_c', 'b_d']]],
    [['-acme.get(1)', '+acme.fetch(1)'], [['acme.get', 'acme.fetch']]],
  ]
  for (const [lines, found] of cases) {
    assert.deepEqual(
      findRenames(lines).map(({ from, to }) => [from, to]),
      found,
      lines.join(' '),
    )
  }
})
