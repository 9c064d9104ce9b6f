// The text of a summary, without an API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printSummary, type Summary, toChange } from './summary-text.ts'

function print(summary: Summary, blocks: 'unicode' | 'ascii' = 'unicode'): string[] {
  const lines: string[] = []
  printSummary({ print: (line) => lines.push(line), warn: assert.fail, colours: false }, summary, blocks)
  return lines
}

const previous = { from: '2026-11-12', to: '2026-11-16', totals: { human: 0, ai: 0, total: 0 }, perWindow: null }
const empty: Summary = {
  range: { from: '2026-11-16', to: '2026-11-20' },
  timeZone: 'Europe/Berlin',
  firstPageView: '2026-11-12',
  filters: {},
  totals: { human: 0, ai: 0, total: 0 },
  perWindow: null,
  previous,
  days: [],
  pages: [],
  agents: [],
}

test('the share that is probably automated is said below the totals', () => {
  const probablyAutomated = { pageViews: 1, of: 2, share: 0.5, note: 'In imported logs, 1 of 2.' }
  const lines = print({ ...empty, probablyAutomated })
  assert.equal(lines[lines.findIndex((one) => one.startsWith('total')) + 1], 'In imported logs, 1 of 2.')
})

test('a summary has totals with previous ones, a line of days, and tables', () => {
  const summary: Summary = {
    ...empty,
    totals: { human: 1_200, ai: 45, total: 1_240 },
    previous: { ...previous, totals: { human: 1_000, ai: 60, total: 1_240 } },
    days: [
      { date: '2026-11-16', human: 100, ai: 0, total: 100 },
      { date: '2026-11-17', human: 700, ai: 0, total: 700 },
      { date: '2026-11-18', human: 0, ai: 0, total: 0 },
      { date: '2026-11-19', human: 400, ai: 45, total: 440 },
    ],
    pages: [{ path: '/guides/\u001bci', human: 1_000, ai: 7, total: 1_005 }],
    agents: [
      {
        agent: 'ChatGPT-User',
        operator: 'OpenAI',
        visitors: 40,
        verified: 35,
        unverified: 5,
        views: 1_041,
        topPath: '/',
      },
      { agent: '', operator: '', visitors: 5, verified: 0, unverified: 0, views: 9, topPath: '/a' },
    ],
  }
  assert.deepEqual(print(summary), [
    'Unique visitors, 2026-11-16 to 2026-11-19 (4 days, Europe/Berlin)',
    'Before: 2026-11-12 to 2026-11-15.',
    '',
    '       VISITORS  BEFORE   CHANGE  BY DAY',
    'human     1,200   1,000  +20.0 %  ▂█▁▅',
    'ai           45      60  -25.0 %  ▁▁▁█',
    'total     1,240   1,240        =  ▂█▁▅',
    '',
    'PAGE         HUMAN  AI  TOTAL',
    '/guides/\ufffdci  1,000   7  1,005',
    '',
    'AI AGENT      OPERATOR  VISITORS  UNVERIFIED  VIEWS  TOP PAGE',
    'ChatGPT-User  OpenAI          40           5  1,041  /',
    '(unnamed)                      5           0      9  /a',
  ])
  assert.match(print(summary, 'ascii')[4] ?? '', /\.#_=$/)
})

test('a project without page views has totals of 0 and no tables', () => {
  const lines = print(empty)
  assert.equal(lines.length, 7)
  assert.match(lines[4] ?? '', /^human +0 +0 +=/)
})

test('the heading says which filters apply', () => {
  const filters = { section: ['/guides', '/api'], agent: ['!GPTBot', 'a\u001b'] }
  const [heading, only] = print({ ...empty, filters })
  assert.match(heading ?? '', /^Unique visitors, /)
  assert.equal(only, 'Only where section is /api or /guides, agent is a\ufffd, agent is not GPTBot')
})

test('numbers that count some people twice say so', () => {
  const note = 'counted per month: Oct 31 and Nov 1; a person who came in both counts twice'
  const perWindow = { window: 'month', windows: 2, note } as const
  const lines = print({ ...empty, perWindow, previous: { ...previous, perWindow } })
  assert.deepEqual(lines.slice(1, 3), [`Visitors are ${note}.`, `Before: 2026-11-12 to 2026-11-15, ${note}.`])
})

test('a range is compared with days that have page views from the first on', () => {
  const lines = print({ ...empty, previous: null, firstPageView: '2026-11-14' })
  assert.equal(lines[1], 'Not compared: page views begin on 2026-11-14.')
  assert.doesNotMatch(lines.join('\n'), /BEFORE|CHANGE|new/)
  assert.equal(print({ ...empty, previous: null, firstPageView: null })[1], 'There are no page views yet.')
})

test('a change is a share of the previous number', () => {
  for (const [now, before, expected] of [
    [0, 0, '='],
    [5, 0, 'new'],
    [0, 5, '-100.0 %'],
    [150, 100, '+50.0 %'],
    [10_001, 10_000, '='],
    [1_003, 1_000, '+0.3 %'],
  ] as const) {
    assert.equal(toChange(now, before), expected)
  }
})
