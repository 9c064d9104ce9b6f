import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseTag, type CountedRelease, type SaidRelease, sayRelease } from './words.ts'

const quiet: CountedRelease = { owed: 0, notFollowed: 0, isFollowed: true, since: 'v1.1' }

const rows: readonly (readonly [given: Partial<CountedRelease>, state: SaidRelease['state'], text: string])[] = [
  [{}, 'success', 'Every change since v1.1 is documented or needs no documentation'],
  [{ since: null }, 'success', 'Every change is documented or needs no documentation'],
  [{ owed: 1 }, 'failure', '1 change is undocumented'],
  [{ owed: 3, since: null }, 'failure', '3 changes are undocumented'],
  [{ owed: 3, notFollowed: 2 }, 'failure', '3 changes are undocumented; it is not known of 2 more'],
  [{ notFollowed: 1 }, 'pending', 'Not known of 1 change, which no automation followed'],
  [{ notFollowed: 57 }, 'pending', 'Not known of 57 changes, which no automation followed'],
  [{ owed: 3, isFollowed: false }, 'pending', 'Not known: no automation follows the changes any more'],
]

test('a release says how many of its changes are undocumented', () => {
  for (const [given, state, text] of rows) assert.deepEqual(sayRelease({ ...quiet, ...given }), { state, text })
})

/** Controls, and marks that reverse a line, too. */
const character = fc.integer({ min: 0, max: 0x2100 }).map((code) => String.fromCodePoint(code))

test('it is green only if nothing is owed and all is known, and is one short line', () => {
  const count = fc.integer({ min: 0, max: 1_000_000 })
  const since = fc.option(fc.string({ maxLength: 100, unit: character }))
  fc.assert(
    fc.property(count, count, fc.boolean(), since, (owed, notFollowed, isFollowed, tag) => {
      const { state, text } = sayRelease({ owed, notFollowed, isFollowed, since: tag })
      assert.equal(state === 'success', isFollowed && owed + notFollowed === 0)
      assert.ok(text.length <= 140 && !/\p{Cc}/u.test(text), text)
    }),
  )
})

test('the tag that looks like a version names a commit', () => {
  assert.equal(chooseTag(['latest', 'v1.2.0']), 'v1.2.0')
  assert.equal(chooseTag(['stable']), 'stable')
  assert.equal(chooseTag([]), undefined)
})
