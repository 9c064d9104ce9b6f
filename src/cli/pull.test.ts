import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseDraft } from './pull.ts'

test('a merge of an open draft wants to be confirmed', () => {
  assert.throws(() => refuseDraft({ number: 3, draft: true, state: 'open' }), /#3 is a draft\. .* --yes merges it\./)
  refuseDraft({ number: 3, draft: false, state: 'open' })
  // The service says why these cannot be merged.
  refuseDraft({ number: 3, draft: true, state: 'closed' })
})
