// The text of the realtime answer, without an API.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Realtime } from '../../../analytics/realtime/count.ts'
import { printRealtime } from './realtime-text.ts'

function print(realtime: Realtime): string[] {
  const lines: string[] = []
  printRealtime({ print: (line) => lines.push(line), warn: assert.fail, colours: false }, realtime, 'unicode')
  return lines
}

const nobody = { visitors: { human: 0, ai: 0, total: 0 }, views: { human: 0, ai: 0, total: 0 } }

test('the last five minutes have their pages, and today a line of hours', () => {
  const some = { visitors: { human: 3, ai: 1, total: 4 }, views: { human: 1_200, ai: 2, total: 1_202 } }
  const hours = [nobody, some, nobody].map((hour, at) => ({ start: `2026-11-21T0${at}:00:00Z`, ...hour }))
  const pages = [{ path: '/guides/\u001bci', ...some }]
  assert.deepEqual(print({ now: { ...some, pages }, today: { date: '2026-11-21', ...some, hours } }), [
    'The last five minutes',
    '       VISITORS  VIEWS',
    'human         3  1,200',
    'ai            1      2',
    'total         4  1,202',
    '',
    'PAGE         HUMAN  AI  TOTAL  VIEWS',
    '/guides/\ufffdci      3   1      4  1,202',
    '',
    'Today, 2026-11-21',
    '       VISITORS  VIEWS  VISITORS BY HOUR',
    'human         3  1,200  ▁█▁',
    'ai            1      2  ▁█▁',
    'total         4  1,202  ▁█▁',
  ])
})

test('without anyone there is no table of pages', () => {
  const lines = print({ now: { ...nobody, pages: [] }, today: { date: '2026-11-21', ...nobody, hours: [] } })
  assert.equal(lines.length, 11)
  assert.match(lines[2] ?? '', /^human +0 +0$/)
})
