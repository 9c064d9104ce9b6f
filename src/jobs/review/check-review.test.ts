import assert from 'node:assert/strict'
import { nothingJudged } from '../../sites/coverage.ts'
import { test } from 'node:test'
import type { Finding } from '../../checks/finding.ts'
import { emptyReview, type Review } from './review.ts'
import { blockingOf, newProblemsOf, toReviewed } from './check-review.ts'
import { checksFailure, sayNewProblems } from './words.ts'

const link: Finding = { kind: 'link', path: 'a.md', line: 3, target: '/x', message: 'links to /x' }
const config: Finding = { kind: 'config', path: 'docs.json', line: 1, target: 'bad', message: 'does not parse' }
const nothing = {
  introduced: [],
  byPerson: [],
  fixed: [],
  remaining: [],
  ignored: 0,
  losses: [],
  suggest: () => undefined,
  drift: null,
  coverage: { ...nothingJudged, references: [], site: nothingJudged },
}
const settings = { block: 'breaking', losses: 'show', grounding: 'show', ignore: [], sites: [] } as const

function review(checked: Partial<Parameters<typeof toReviewed>[0]>): Review {
  return { ...emptyReview, ...toReviewed({ ...nothing, ...checked }) }
}

test('the setting decides which new problems fail a job', () => {
  const checked = review({ introduced: [link, config], byPerson: [{ ...config, path: 'mine.json' }] })
  const blocking = (block: 'breaking' | 'all' | 'never') => blockingOf(checked, { ...settings, block })
  assert.deepEqual(
    blocking('breaking').map(({ path }) => path),
    ['docs.json'],
  )
  assert.deepEqual(
    blocking('all').map(({ path }) => path),
    ['a.md', 'docs.json'],
  )
  assert.deepEqual(blocking('never'), [])
  assert.equal(newProblemsOf(checked).length, 2)
  assert.equal(checked.checks.introduced, 3)
})

test('the breaking problems of the agent are kept of many, and all are counted', () => {
  const many = Array.from({ length: 1_200 }, (_, n) => ({ ...link, line: n + 1 }))
  const { checks } = review({ introduced: [...many, { ...config, path: 'z.json' }], byPerson: many })
  assert.equal(checks.introduced, 2_401)
  assert.equal(checks.findings.length, 1_000)
  assert.ok(checks.findings.some(({ path }) => path === 'z.json'))
  assert.ok(checks.findings.every(({ byPerson }) => !byPerson))
})

test('a new problem says what is meant, where that is clear', () => {
  const suggest = ({ target }: Finding) => (target === '/x' ? '/y' : undefined)
  const { findings } = review({ introduced: [link, config], fixed: [link], suggest }).checks
  assert.deepEqual(
    findings.map(({ state, suggestion }) => [state, suggestion]),
    [
      ['introduced', '/y'],
      ['introduced', undefined],
      ['fixed', undefined],
    ],
  )
})

test('texts of any length are cut before they are stored', () => {
  const long = 'x'.repeat(1_000_000)
  const lost = {
    path: 'a.md',
    headings: [long],
    codeBlocks: Array.from({ length: 500 }, () => long),
    fields: [],
    words: null,
  }
  const stored = review({ introduced: [{ ...link, target: long, message: `links to ${long}` }], losses: [lost] })
  assert.ok(JSON.stringify(stored).length < 250_000)
})

test('the error names the first problems and the setting', () => {
  const problems = newProblemsOf(
    review({ introduced: Array.from({ length: 12 }, (_, n) => ({ ...config, line: n + 1 })) }),
  )
  const failure = checksFailure(problems, [], 'prj_1')
  assert.equal(failure.code, 'checks_failed')
  assert.match(failure.message, /^Nothing was published: docs\.json line 1 does not parse; .*; and 2 more\. /)
  assert.match(failure.message, /docent project update prj_1 --check-block never\.$/)
  assert.equal(failure.details.length, 12)
  const lost = { path: 'a.md', headings: ['Begin'], codeBlocks: [], fields: [], words: null }
  assert.match(checksFailure([], [lost], 'prj_1').message, /a\.md lost content.*--check-losses show\.$/)
})

test('the first lines of a pull request are data that mentions nobody', () => {
  const hostile = { ...link, message: 'links to `](http://evil) @everyone\n\n# Closes #1 <script>' }
  const [, , item] = sayNewProblems(newProblemsOf(review({ introduced: [hostile] })))?.split('\n') ?? []
  assert.equal(item, "- `a.md line 3 links to '](http://evil) @everyone # Closes #1 <script>`")
  assert.equal(sayNewProblems([]), undefined)
})
