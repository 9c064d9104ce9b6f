import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EffectResponse } from '../../http/resources/analytics/effect-contract.ts'
import { printEffect } from './effect.ts'

const effect: EffectResponse = {
  pullRequest: { number: 7, title: 'Say\u001b[2J b', mergedAt: '2026-11-10T12:00:00.000Z' },
  mergedOn: '2026-11-10',
  timeZone: 'Europe/Berlin',
  days: 7,
  needs: 0,
  note: null,
  before: { dateFrom: '2026-11-03', dateTo: '2026-11-10' },
  after: { dateFrom: '2026-11-11', dateTo: '2026-11-18' },
  pages: [
    {
      path: '/a',
      before: { readers: 81, agents: 12, failures: 3 },
      after: { readers: 90, agents: 15, failures: 0 },
      days: [],
    },
  ],
  pagesLeftOut: 2,
}

function printed(shown: EffectResponse): readonly string[] {
  const lines: string[] = []
  printEffect({ print: (line) => void lines.push(line), warn: () => undefined, colours: false }, shown)
  return lines
}

test('the numbers before and after stand side by side, with their days', () => {
  const lines = printed(effect)
  assert.ok(!lines[0]?.includes('\u001b'))
  assert.equal(lines[1], 'Merged on 2026-11-10 (Europe/Berlin).')
  assert.equal(lines[2], 'Before: 2026-11-03 to 2026-11-09. After: 2026-11-11 to 2026-11-17 (7 days each).')
  assert.match(lines.join('\n'), /PAGE +READERS +AI AGENTS +FAILURES\n\/a +81 → 90 +12 → 15 +3 → 0\n2 more pages/)
})

test('without days there is only the reason', () => {
  const note = 'The pull request of the job is not merged.'
  const lines = printed({ ...effect, pullRequest: null, mergedOn: null, before: null, after: null, days: 0, note })
  assert.deepEqual(lines, [note])
})
