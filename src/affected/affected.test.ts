import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../test/support/linear.ts'
import { findAffected } from './affected.ts'
import { readChange } from './change-terms.ts'
import { readMessage } from './subjects.ts'
import type { AffectedInput, Change, Page, PageTerm, PastCommit } from './types.ts'
import { weights } from './weights.ts'

function page(path: string, ...texts: readonly string[]): Page {
  return { path, terms: texts.map((text): PageTerm => ({ text, kind: 'inline', count: 1 })) }
}

function change(path: string, lines: readonly string[], message = ''): Change {
  const patch = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@ function run()\n${lines.join('\n')}\n`
  return { files: [{ path, previousPath: null, status: 'modified', patch }], messages: message === '' ? [] : [message] }
}

const pages = [
  page('docs/watch.md', '--watch', 'watchFolders'),
  page('docs/serve.md', '--port', 'serve'),
  page('docs/other.md', 'acme', 'config'),
]
const renamed = change('src/cli.ts', ["-  .option('--watch-folders <path>')", "+  .option('--watch-paths <path>')"])
const usual = { pages, history: [], mode: 'apart' } as const

test('a page that has the changed option in another spelling is first, with the term', () => {
  const { pages: ranked, concernsDocs } = findAffected({ ...usual, change: renamed })
  assert.equal(ranked[0]?.path, 'docs/watch.md')
  assert.equal(ranked[0].terms[0], '--watch-folders')
  assert.equal(concernsDocs, true)
})

test('a term that only moved says almost nothing', () => {
  const moved = change('src/a.ts', ['-  watchFolders(a)', '-  serve(b)', '+  start(b)', '+  watchFolders(a)'])
  const { terms, removedNames, addedNames } = readChange(moved, weights)
  assert.ok((terms.get('serve')?.weight ?? 0) > 3 * (terms.get('watchfolders')?.weight ?? Infinity))
  assert.deepEqual([addedNames, removedNames], [[], []])
})

test('lines of tests say less than those of the program', () => {
  const weightIn = (path: string) =>
    readChange(change(path, ['+  watchFolders(a)']), weights).terms.get('watchfolders')?.weight ?? 0
  assert.ok(weightIn('src/a.ts') > 2 * weightIn('test/a.ts'))
})

const together = Array.from({ length: 5 }, (): PastCommit => ({
  paths: ['src/x.ts', 'docs/serve.md'],
  subject: 'Serve',
}))

test('beside the code, the history and the folders count; apart they do not', () => {
  const input = { change: change('src/x.ts', ['+  unheard()']), pages, history: together }
  assert.equal(findAffected({ ...input, mode: 'beside' }).pages[0]?.path, 'docs/serve.md')
  const apart = findAffected({ ...input, mode: 'apart' })
  const own = findAffected({
    ...input,
    history: together.map(() => ({ paths: ['docs/serve.md'], subject: '' })),
    mode: 'apart',
  })
  assert.deepEqual(apart, own)
})

test('a change of tests alone does not concern the docs, and a new flag does', () => {
  const judge = (one: Change) => findAffected({ ...usual, change: one }).concernsDocs
  assert.equal(judge(change('test/run.test.ts', ['+  it("runs")'], 'test: fix a flaky test')), false)
  assert.equal(judge(change('src/cli.ts', ["+  .option('--serve-port')"], 'feat: add --serve-port')), true)
  assert.equal(judge({ files: [], messages: ['feat: add a page'] }), false)
})

test('the title of a merged pull request counts as the subject', () => {
  const lines = ["+  .option('--serve-port')"]
  const scoreOf = (message: string) => findAffected({ ...usual, change: change('src/cli.ts', lines, message) }).score
  const [plain, merged] = ['feat: add --serve-port', 'Merge pull request #12 from acme/flags\n\nfeat: add --serve-port']
  assert.equal(readMessage(merged).title, plain)
  assert.deepEqual(readMessage('Auto merge of #7 - acme:a, r=b\n\nAdd a\n\nMore\n'), {
    title: 'Add a',
    body: '\nMore\n',
  })
  assert.deepEqual(readMessage("Merge branch 'next'\n\n# Conflicts"), {
    title: "Merge branch 'next'",
    body: '\n# Conflicts',
  })
  assert.deepEqual(readMessage('Merge pull request #12 from acme/flags'), {
    title: 'Merge pull request #12 from acme/flags',
    body: '',
  })
  assert.equal(scoreOf(merged), scoreOf(plain))
})

test('each kind of line and title changes the judgement as its weight says', () => {
  const scoreOf = (line: string, message = 'Run it') =>
    findAffected({ ...usual, change: change('src/a.ts', ['+  run(a)', '+  run(b)', line], message) }).score
  const plain = scoreOf('+  run(c)')
  assert.ok(scoreOf('+import c') < plain)
  assert.ok(scoreOf('+/// Runs c.') > plain)
  assert.ok(scoreOf('+  run(c)', 'Run it with types') < plain)
  assert.ok(scoreOf('+  run(c)', 'Run it after a crash') < plain)
  assert.ok(scoreOf('+  run(c)', 'run!: it') > plain)
})

test('any change and any pages give each page once, the highest score first', () => {
  const word = fc.constantFrom(
    'a',
    'watch',
    '--watch',
    'maxLines',
    'x.y',
    '',
    '@@',
    '+',
    '\n',
    '__proto__',
    'constructor',
  )
  const text = fc.array(word).map((words) => words.join(' '))
  fc.assert(
    fc.property(fc.array(text), text, fc.array(fc.tuple(text, fc.array(word))), (lines, message, all) => {
      const named = all.map(([path, texts], at) => page(`${path}${at}.md`, ...texts))
      const history = [{ paths: lines, subject: message }]
      for (const mode of ['beside', 'apart'] as const) {
        const found = findAffected({ change: change('src/a.ts', lines, message), pages: named, history, mode })
        const scores = found.pages.map(({ score }) => score)
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
        )
        assert.equal(new Set(found.pages.map(({ path }) => path)).size, found.pages.length)
        assert.ok(found.score >= 0 && found.score <= 1 && scores.every((score) => Number.isFinite(score)))
      }
    }),
    { numRuns: 200 },
  )
})

test('hostile changes are read in linear time', () => {
  for (const part of ["+'a", '+"a.b":', '+export a\n', '@@ @@ a\n', '+add_argument(', '-a.b.c\n']) {
    assertLinear(
      (size): AffectedInput => ({ ...usual, change: change('a.ts', [part.repeat(size / part.length)]) }),
      (input) => findAffected(input).score,
      { size: 200_000, name: JSON.stringify(part) },
    )
  }
})
