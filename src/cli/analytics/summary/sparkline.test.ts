// Lines of blocks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blocksOf, sparkline } from './sparkline.ts'

test('a line rises with its numbers, in blocks or in ASCII', () => {
  for (const [numbers, unicode, ascii] of [
    [[], '', ''],
    [[0, 0], '▁▁', '__'],
    [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█', '_.:-=+*#'],
    [[1, 1_000_000], '▂█', '.#'],
  ] as const) {
    assert.equal(sparkline(numbers, 'unicode'), unicode)
    assert.equal(sparkline(numbers, 'ascii'), ascii)
  }
})

test('a line has one character per number, and only 0 gets the lowest one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (numbers) => {
      const line = sparkline(numbers, 'ascii')
      assert.equal(line.length, numbers.length)
      const top = Math.max(...numbers)
      numbers.forEach((number, n) => {
        assert.equal(line[n] === '_', number === 0)
        if (number === top && top > 0) assert.equal(line[n], '#')
      })
    }),
  )
})

test('terminals get blocks if the first locale variable that is set says UTF-8', () => {
  for (const [environment, expected] of [
    [{}, 'ascii'],
    [{ LANG: 'C' }, 'ascii'],
    [{ LANG: 'en_GB.UTF-8' }, 'unicode'],
    [{ LANG: 'C.utf8' }, 'unicode'],
    [{ LC_ALL: 'POSIX', LANG: 'en_GB.UTF-8' }, 'ascii'],
    [{ LC_ALL: '', LC_CTYPE: 'de_DE.UTF-8', LANG: 'C' }, 'unicode'],
  ] as const) {
    assert.equal(blocksOf(environment), expected)
  }
})
