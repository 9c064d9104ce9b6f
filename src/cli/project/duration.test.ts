import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration, parseExpiry } from './duration.ts'

test('durations are a number and a unit', () => {
  const table: [string, number][] = [
    ['0', 0],
    ['90s', 90],
    ['30m', 1_800],
    ['24h', 86_400],
    ['7d', 604_800],
  ]
  for (const [text, expected] of table) assert.equal(parseDuration(text), expected, text)
  for (const text of ['', '7', '-1d', '1.5h', '7 d', '7w', 'd', '1d1h']) assert.throws(() => parseDuration(text), text)
})

test('an expiry is days from now, a date, a moment, or never', () => {
  const now = new Date('2026-11-20T08:00:00Z')
  const table: [string, string][] = [
    ['never', 'never'],
    ['90', '2027-02-18T08:00:00.000Z'],
    ['1d', '2026-11-21T08:00:00.000Z'],
    ['2027-02-18', '2027-02-18T00:00:00.000Z'],
    ['2027-02-18T12:00:00+02:00', '2027-02-18T10:00:00.000Z'],
  ]
  for (const [text, expected] of table) assert.equal(parseExpiry(text, now), expected, text)
  for (const text of ['', 'soon', '90h', '2027-13-01', '18.2.2027', '2027-02-18T12:00']) {
    assert.throws(() => parseExpiry(text, now), text)
  }
})
