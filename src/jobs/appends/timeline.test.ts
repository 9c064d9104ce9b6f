import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTimeline, type Entry } from './timeline.ts'

const entryOf = (title: string, more: Partial<Entry> = {}): Entry => ({
  at: new Date('2026-11-20T03:00:00Z'),
  contributions: [{ runId: 'aru_1', by: 'schedule, 2026-11-20T03:00Z', ranges: [], because: null }],
  finish: { kind: 'change', title, summary: `About ${title}.` },
  dropped: [],
  ...more,
})

test('one run gives its title, and more are counted, the newest first', () => {
  const one = describeTimeline({ name: 'Docs', entries: [entryOf('First')] })
  assert.deepEqual(one, {
    title: 'Docs: First',
    body: '**2026-11-20: First**\n\nStarted by `schedule, 2026-11-20T03:00Z`.\n\nAbout First.',
  })
  const { title, body } = describeTimeline({ name: 'Docs', entries: [entryOf('First'), entryOf('Second')] })
  assert.equal(title, 'Docs: 2 runs')
  assert.ok(body.indexOf('Second') < body.indexOf('First'))
})

test('an entry has its commits, its reason and what it left out', () => {
  const ranges = Array.from({ length: 6 }, (_, at) => ({
    repository: 'acme/api',
    from: `${at}`.repeat(40),
    to: 'f'.repeat(40),
  }))
  const contributions = [{ runId: 'aru_1', by: 'ada', ranges, because: '#3 has 10 runs.' }]
  const dropped = [
    { path: 'docs/a.md', digest: '1', number: 3 },
    { path: 'docs/a.md', digest: '2', number: 3 },
  ]
  const { body } = describeTimeline({ name: 'Docs', entries: [entryOf('First', { contributions, dropped })] })
  assert.match(
    body,
    /^\*\*2026-11-20: First\*\*\n\nStarted by `ada`\. Commits: `acme\/api 000000000000\.\.ffffffffffff`, .*, and 1 more\. A new pull request: `#3 has 10 runs\.`\n\n/,
  )
  assert.match(body, /\n\nLeft out, because people have rejected the same changes: `docs\/a\.md \(#3\)`\.$/)
})

test('only the newest text is whole, and ten long ones fit in a body', () => {
  const long = (title: string) =>
    entryOf(title, { finish: { kind: 'change', title, summary: `${title} ${'x'.repeat(5_000)}` } })
  const entries = Array.from({ length: 10 }, (_, at) => long(`R${at}`))
  const { body } = describeTimeline({ name: 'Docs', entries })
  const sizes = body.split('\n\n---\n\n').map((part) => part.length)
  assert.ok((sizes[0] ?? 0) > 5_000 && sizes.slice(1).every((size) => size < 1_200), sizes.join())
})

test('names from outside mention nobody and stay on their line', () => {
  const contributions = [{ runId: 'aru_1', by: 'event @ada\n# `x` #1', ranges: [], because: null }]
  const { title, body } = describeTimeline({
    name: 'Ask @grace\n#2',
    entries: [entryOf('Fix', { contributions })],
  })
  assert.doesNotMatch(title, /@|\n|#2/)
  const [, line = ''] = body.split('\n\n')
  assert.match(line, /^Started by (`+) ?event @ada.*#1 ?\1\.$/)
})
