// The facts of a pull request, for tests of their words.

import type { Facts } from '../../src/jobs/run/describe/facts.ts'
import { emptyReview } from '../../src/jobs/review/review.ts'

export const anyFacts: Facts = {
  jobId: 'job_1',
  jobLink: undefined,
  origin: { kind: 'api', name: 'CI', link: null },
  prompts: ['Rename "Acme CLI"'],
  titles: ['Rename it'],
  pagesRead: [],
  summary: 'Renames the command and documents how the site is built.',
  files: [{ path: 'docs/a.md', previousPath: null, status: 'modified' }],
  paths: ['docs/a.md'],
  review: emptyReview,
  sources: [],
  citations: { held: [], dropped: 0 },
  code: [],
  model: 'docent/rules',
  turns: 4,
  inputTokens: 12_345,
  outputTokens: 678,
  costUsd: null,
}
