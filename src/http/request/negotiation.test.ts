import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredType } from './negotiation.ts'

test('the preferred representation is chosen, or the first without a preference', () => {
  const table: [string | undefined, string][] = [
    [undefined, 'text/x-diff'],
    ['', 'text/x-diff'],
    ['*/*', 'text/x-diff'],
    ['text/*', 'text/x-diff'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/x-diff, application/json', 'text/x-diff'],
    ['text/x-diff;q=0.5, application/json', 'application/json'],
    ['text/x-diff, application/json;q=0.9', 'text/x-diff'],
    ['application/json;q=0, */*', 'text/x-diff'],
    ['text/x-diff;q=0, */*', 'application/json'],
    ['application/json;q=0', 'text/x-diff'],
    ['*/*;q=0.1, application/json;q=0.05', 'text/x-diff'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/x-diff'],
    ['image/png', 'text/x-diff'],
    [';;;,,,q=', 'text/x-diff'],
    ['application/json;q=nonsense', 'application/json'],
  ]
  for (const [accept, expected] of table) {
    assert.equal(preferredType(accept, ['text/x-diff', 'application/json']), expected, String(accept))
  }
})
