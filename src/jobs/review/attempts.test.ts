import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayShown } from '../policy/words.ts'
import { findAttempts } from '../run/review/review-content.ts'

const refused = (path: string, message: string, isGrave = false) => ({ path, line: 1, message, isGrave })

test('three different refusals, or one of a secret or script, make a draft', () => {
  const two = [refused('a.md', 'adds an image'), refused('b.md', 'adds an image')]
  assert.deepEqual(findAttempts(two), [])
  assert.deepEqual(findAttempts([...two, ...two, { ...refused('a.md', 'adds an image'), line: 7 }]), [])
  assert.equal(findAttempts([...two, refused('a.md', 'adds a form')]).length, 3)
  const [script] = findAttempts([refused('a.md', 'adds a script', true)])
  assert.equal(
    sayShown(script ? [script] : []),
    '**The model tried what the policy refuses:** `a.md` line 1 adds a script. None of it is in the change: read its instructions.',
  )
})
