import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastLines } from './log-lines.ts'

const same = (text: string) => text

const cases: readonly (readonly [name: string, log: string, lines: string])[] = [
  ['plain lines', 'one\ntwo\n', 'one\ntwo'],
  ['nothing', '', ''],
  ['empty lines at the end', 'one\n\n\n', 'one'],
  ['colours', '\u001b[31;1merror\u001b[0m: no \u001b[4mpage\u001b[0m', 'error: no page'],
  ['a link of a terminal', '\u001b]8;;https://a.example\u0007page\u001b]8;;\u0007', 'page'],
  ['control characters', 'a\u0000b\u0007c\u009bd', 'abcd'],
  ['half of a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ['times of GitHub', '2026-11-29T00:01:02.1234567Z Build failed\r\n', 'Build failed'],
  ['times of GitLab', '2026-11-29T00:01:02.123456Z 01E Build failed', 'Build failed'],
  [
    'sections of GitLab',
    'section_start:1560896352:build\r\u001b[0KBuild\nsection_end:1560896353:build\r\u001b[0K',
    'Build',
  ],
  ['a progress bar', 'Fetching 1%\rFetching 50%\rFetched', 'Fetched'],
  [
    'what a runner does after the error',
    'no page\n##[error]exit code 1\nPost job cleanup.\nDone',
    'no page\n##[error]exit code 1',
  ],
]
for (const [name, log, lines] of cases) {
  test(`the last lines of a log: ${name}`, () => assert.equal(lastLines(log, same), lines))
}

test('at most 100 lines are left, and 101 lose the first', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)
  assert.equal(lastLines(lines(100).join('\n'), same), lines(100).join('\n'))
  assert.equal(lastLines(lines(101).join('\n'), same), lines(101).slice(1).join('\n'))
})

test('at most 8,000 characters are left, and a line has at most 500', () => {
  const line = 'x'.repeat(399)
  assert.equal(lastLines(Array.from({ length: 20 }, () => line).join('\n'), same).split('\n').length, 20)
  assert.equal(lastLines(Array.from({ length: 21 }, () => line).join('\n'), same).split('\n').length, 20)
  assert.equal(lastLines('y'.repeat(500), same), 'y'.repeat(500))
  assert.equal(lastLines('y'.repeat(501), same), `${'y'.repeat(500)}…`)
})

test('a secret is removed before lines are cut, also one with colours inside', () => {
  const secret = `secret-${'z'.repeat(600)}`
  const coloured = `${secret.slice(0, 20)}\u001b[0m${secret.slice(20)}`
  const left = lastLines(`key ${coloured}`, (text) => text.replaceAll(secret, '[removed]'))
  assert.equal(left, 'key [removed]')
})
