import assert from 'node:assert/strict'
import { type Coverage, nothingJudged } from '../../sites/coverage.ts'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { Checks, Problem } from '../checks.ts'
import { createCheckTool } from './check.ts'

const workspace = createMemoryWorkspace({})
const signal = new AbortController().signal

function toProblem(n: number): Problem {
  return { path: `guides/${n}.md`, line: n, kind: 'link', target: '/x', message: 'links to /x', suggestion: null }
}

type Found = {
  readonly fresh: readonly Problem[]
  readonly old: readonly Problem[]
  readonly losses?: readonly PageLoss[]
  readonly coverage?: Coverage
}

function checksOf({ fresh, old, losses = [], coverage = nothingJudged }: Found): Checks {
  return {
    find: ({ which, isWanted, offset, limit }) => {
      const wanted = { new: fresh.filter(({ path }) => isWanted(path)), old: old.filter(({ path }) => isWanted(path)) }
      const counts = { new: wanted.new.length, old: wanted.old.length }
      return Promise.resolve({ counts, problems: wanted[which].slice(offset, offset + limit), losses, coverage })
    },
  }
}

async function check(checks: Checks, input: Parameters<ReturnType<typeof createCheckTool>['run']>[0]) {
  const { text, facts } = await createCheckTool().run(input, { workspace, checks, signal })
  return { lines: text.split('\n'), facts }
}

test('new problems are listed with what was meant, old ones are counted', async () => {
  const fresh = [{ ...toProblem(1), message: 'links to\n/x\u202E', suggestion: '/y' }]
  const { lines, facts } = await check(checksOf({ fresh, old: [toProblem(2), toProblem(3)] }), {})
  assert.deepEqual(lines, [
    '[1 new problem; 2 old ones not listed]',
    'guides/1.md:1: link: links to /x\\u{202E} — did you mean /y?',
  ])
  assert.deepEqual(facts, { found: fresh })
})

test('a glob narrows the list, and old problems are listed when asked for', async () => {
  const checks = checksOf({ fresh: [toProblem(1)], old: [toProblem(2), toProblem(3)] })
  assert.deepEqual((await check(checks, { glob: 'guides/3.md' })).lines, ['[no new problems; 1 old one not listed]'])
  const { lines } = await check(checks, { old: true })
  assert.equal(lines[0], '[2 old problems; 1 new one not listed]')
  assert.equal(lines.length, 3)
})

test('a long list is read in parts of 100', async () => {
  const checks = checksOf({ fresh: Array.from({ length: 101 }, (_, n) => toProblem(n + 1)), old: [] })
  const first = await check(checks, {})
  assert.equal(first.lines[0], '[101 new problems; 1-100 are listed, read on with offset 100]')
  assert.equal(first.lines.length, 101)
  assert.equal(first.facts?.next, 100)
  const second = await check(checks, { offset: 100 })
  assert.equal(second.lines[0], '[101 new problems; 101-101 are listed]')
  assert.equal(second.facts?.next, undefined)
  assert.equal((await check(checks, { offset: 101 })).lines[0], '[101 new problems; none beyond 101]')
})

test('losses are named after the new problems, and not with the old ones', async () => {
  const losses: PageLoss[] = [
    {
      path: 'settings.md',
      headings: ['a', 'b', 'c', 'd', 'e', 'f'],
      codeBlocks: ['npm i\u202e'],
      fields: ['permalink'],
      words: { before: 1_419, after: 882 },
    },
  ]
  const checks = checksOf({ fresh: [], old: [toProblem(1)], losses })
  assert.deepEqual((await check(checks, {})).lines, [
    '[no new problems; 1 old one not listed]',
    '[lost, on no page any more]',
    'settings.md: 6 headings (a, b, c, d, e, …); 1 code block (npm i\\u{202E}); 1 field (permalink); 537 of 1419 words',
  ])
  assert.equal((await check(checks, { old: true })).lines.length, 2)
})

test('the three most frequent reasons say why places are not judged', async () => {
  const notJudged = (['redirect', 'site', 'template', 'alias'] as const).map((reason, at) => {
    return { reason, count: 9 - at, example: 'a.md:3 /x\n/y' }
  })
  const { lines } = await check(checksOf({ fresh: [], old: [], coverage: { judged: 12, notJudged } }), {})
  assert.equal(lines[0], '[no new problems]')
  assert.match(
    lines[1] ?? '',
    /^\[of what your changes touch, 30 of 42 not judged; 9: a redirect .* \(a\.md:3 \/x \/y\); 8: .*; 7: [^;]*\]$/,
  )
})
