// Reviews of jobs with every part in them. The responses come from here: no single run finds all of this at once.

import type { Page } from 'playwright-core'
import type { ReviewResponse } from '../../../src/http/resources/jobs/review-schemas.ts'
import type { JobResponse } from '../../../src/jobs/response.ts'

type Finding = ReviewResponse['findings'][number]

/** `text` is in every text; `path` is a file of the change. */
export function fullReview(path: string, text = ''): ReviewResponse {
  const finding = (given: Partial<Finding>): Finding => ({
    path,
    line: 1,
    kind: 'link',
    severity: 'wrong',
    message: `links to /setup, which does not exist ${text}`,
    suggestion: `/guides/setup${text}`,
    state: 'introduced',
    byPerson: false,
    ...given,
  })
  const remaining = Array.from({ length: 41 }, (_, index) => finding({ state: 'remaining', line: index + 1 }))
  return {
    introduced: 3,
    fixed: 1,
    remaining: remaining.length,
    ignored: 2,
    drift: {
      sources: [
        {
          name: `api${text}`,
          commit: '3f2c1d8'.padEnd(40, '0'),
          revisions: 120,
          since: '2023-03-01T09:30:00.000Z',
          isWhole: true,
        },
        { name: 'core', commit: null, revisions: 0, since: null, isWhole: false },
      ],
      files: 1_705,
      pages: 80,
      terms: 1_204,
    },
    coverage: {
      judged: 9,
      notJudged: [
        {
          reason: 'redirect',
          message: 'a redirect with a pattern covers the address',
          count: 3,
          example: 'guides/install.md:7 /old/a',
        },
      ],
      site: {
        judged: 41,
        notJudged: [
          {
            reason: 'source',
            message: 'a source could not be read',
            count: 12,
            example: `docs/a.md:3 --max-lines${text}`,
          },
          {
            reason: 'redirect',
            message: 'a redirect with a pattern covers the address',
            count: 3,
            example: 'guides/install.md:7 /old/a',
          },
        ],
      },
    },
    findings: [
      finding({}),
      finding({ path: `docs/other.md ${text}`, line: 7, byPerson: true }),
      finding({ kind: 'mdx', severity: 'breaking', line: 900, message: `does not compile: ${text}` }),
      finding({ state: 'fixed', kind: 'image', message: `shows /a.png, which does not exist ${text}` }),
      ...remaining,
    ],
    ungrounded: [{ path: 'guides/install.md', line: 18, term: `--max-lines${text}` }],
    grounding: { judged: 24, notJudged: 2, missing: 1 },
    losses: [
      {
        path,
        headings: [`Install ${text}`],
        codeBlocks: [`npm install ${text}`],
        fields: ['permalink'],
        words: { before: 1_200, after: 700 },
      },
    ],
    hosts: [{ host: `status.example.com${text}`, path, line: 1 }],
    expected: [],
    warnings: [{ path, line: 1, message: `adds a component ${text}` }],
    refused: [{ path: '.github/workflows/ci.yml', line: null, message: `is protected ${text}` }],
  }
}

/** Serves the review as that of the job, also to the lists of jobs. */
export async function serveReview(page: Page, id: string, review: ReviewResponse, error?: JobResponse['error']) {
  const { introduced, fixed, remaining } = review
  const changes = { checks: { introduced, fixed, remaining }, ...(error && { error, status: 'failed' }) }
  await page.route(`**/job/${id}/checks`, (route) => route.fulfill({ json: review }))
  await page.route(`**/job/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } })
  })
  await page.route('**/jobs?limit=*', async (route) => {
    const response = await route.fetch()
    const page = (await response.json()) as { readonly jobs: readonly { readonly id: string }[] }
    const jobs = page.jobs.map((job) => (job.id === id ? { ...job, ...changes } : job))
    await route.fulfill({ response, json: { ...page, jobs } })
  })
}
