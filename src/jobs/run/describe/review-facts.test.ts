// The coverage of the checks in the facts of a pull request.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyReview } from '../../review/review.ts'
import { sayReview } from './review-facts.ts'

test('no new problems is never said of what could not be judged', () => {
  const coverage = {
    judged: 9,
    notJudged: [{ reason: 'redirect', count: 3, example: 'a.md:7 /old/@all' }],
    site: { judged: 9, notJudged: [] },
  } as const
  const checks = { ...emptyReview.checks, fixed: 1, coverage }
  const text = sayReview({ ...emptyReview, checks }).join('\n\n')
  assert.match(
    text,
    /^\*\*Checks:\*\* 0 new problems in what could be judged \(3 of 12 not judged\), 1 no longer found, 0 remaining$/m,
  )
  assert.match(text, /^- 3: a redirect with a pattern covers the address, such as `a\.md:7 \/old\/@all`$/m)
  assert.doesNotMatch(text, /fixed/i)
})

test('names that were found nowhere are listed as code, and the others are counted', () => {
  const review = {
    ...emptyReview,
    ungrounded: [{ path: 'docs/b.md', line: 4, term: '--`max`-@lines' }],
    grounding: { judged: 9, notJudged: 2, missing: 3 },
  }
  const said = sayReview(review).join('\n\n')
  assert.match(said, /\*\*Not found in the sources:\*\*\n\n- `--'max'-@lines` in `docs\/b\.md` line 4\n- and 2 more/)
  assert.match(said, /\*\*Not looked up in the sources:\*\* 2 names and values/)
  assert.doesNotMatch(sayReview({ ...review, grounding: null }).join('\n'), /sources/)
})
