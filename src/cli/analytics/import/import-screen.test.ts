import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Output } from '../../output.ts'
import { describeProgress, printSummary } from './import-screen.ts'

const at = (bytesRead: number) => ({ bytesRead, damage: undefined })

test('progress shows the share of the file, the rate, and the time left', () => {
  const file = { size: 20_000_000, progress: at(12_000_000) }
  assert.equal(
    describeProgress(file, { lines: 31_000 }, { ms: 4_000, firstByte: 8_000_000 }),
    '[████████████░░░░░░░░] 60 %, 12.0 of 20.0 MB, 31,000 lines, 7,750 lines/s, 0:08 left',
  )
})

test('progress of standard input has no share, since its size is unknown', () => {
  const file = { size: undefined, progress: at(1_500_000) }
  assert.equal(describeProgress(file, { lines: 10 }, { ms: 0, firstByte: 0 }), '1.5 MB, 10 lines, 10,000 lines/s')
})

test('progress of a file that grows while it is read is at most 100 %', () => {
  const text = describeProgress({ size: 10, progress: at(20) }, { lines: 1 }, { ms: 1_000, firstByte: 0 })
  assert.match(text, / 100 %.* 0:00 left$/)
})

test('the summary explains rejections with examples that cannot control a terminal', () => {
  const printed: string[] = []
  const output: Output = { print: (line) => printed.push(line), warn: () => undefined, colours: false }
  const rejected = [
    { reason: 'not_this_format', count: 1_200, examples: ['nonsense'] },
    { reason: 'new\u001b[2J', count: 1, examples: [] },
    { reason: 'too_old', count: 2, examples: [] },
  ]
  const counts = { lines: 1_233, linesBefore: 20, accepted: 10, rejected }
  const rest = { importId: 'imp_a', from: 1_000, position: 2_000, damage: 'truncated' } as const
  printSummary(output, { file: 'access\u001b.log', outcome: 'done', format: 'combined', ...counts, ...rest })
  assert.deepEqual(printed, [
    'access\ufffd.log (combined)',
    'LINES              1,233',
    'imported before    20     the first 1,000 bytes',
    'accepted           10',
    '  not_this_format  1,200  the line could not be parsed',
    '  new\ufffd[2J          1',
    "  too_old          2      the time is before the project's retention; see docent project update --retention-months",
    '  not_this_format: nonsense',
    'The compressed data is truncated: everything before the end was imported.',
  ])
})
