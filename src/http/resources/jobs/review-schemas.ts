// The review of a change, as responses have it: problems of the documentation, losses, and what a reviewer must know.

import { boolean, count, list, string } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { findingKindNames } from '../../../checks/finding.ts'
import { type Coverage, type NotJudged, reasonNames, reasons } from '../../../sites/coverage.ts'
import type { NewHost, Review, ReviewedFinding, ReviewNote } from '../../../jobs/review/review.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { headers } from '../../contract/responses.ts'

type FindingResponse = Omit<ReviewedFinding, 'target' | 'suggestion' | 'isLate'> & {
  readonly suggestion: string | null
}

/** `message`: the sentence of the reason. */
type NotJudgedResponse = NotJudged & { readonly message: string }
export type CoverageResponse = Pick<Coverage, 'judged'> & { readonly notJudged: readonly NotJudgedResponse[] }

export type ReviewResponse = Omit<Review['checks'], 'findings' | 'coverage'> & {
  readonly coverage: CoverageResponse & { readonly site: CoverageResponse | null }
  readonly findings: readonly FindingResponse[]
  readonly losses: Review['losses']
  readonly hosts: readonly NewHost[]
  readonly ungrounded: Review['ungrounded']
  readonly grounding: Review['grounding']
  readonly warnings: readonly ReviewNote[]
  readonly expected: readonly ReviewNote[]
  readonly refused: readonly ReviewNote[]
}

export function toReviewResponse({ checks, references, warnings, ...others }: Review): ReviewResponse {
  const findings = checks.findings.map(
    ({ path, line, kind, severity, message, suggestion = null, state, byPerson }) => {
      return { path, line, kind, severity, message, suggestion, state, byPerson }
    },
  )
  const { site } = checks.coverage
  const coverage = { ...toCoverage(checks.coverage), site: site && toCoverage(site) }
  return { ...checks, ...others, coverage, warnings: [...warnings, ...references], findings }
}

export function toCoverage({ judged, notJudged }: Coverage): CoverageResponse {
  return { judged, notJudged: notJudged.map((one) => ({ ...one, message: reasons[one.reason] })) }
}

const path = string('The path in the repository.')
const line = z.int().openapi({ minimum: 1, description: 'Counted from 1.' })

const findingSchema = schemaOf<FindingResponse>()(
  z
    .object({
      path: path.openapi({ description: 'After the change; before it for a fixed problem.' }),
      line,
      kind: namedEnum('FindingKind', findingKindNames),
      severity: namedEnum('Severity', ['breaking', 'wrong']).openapi({
        description: '`breaking`: the site does not build, or a page that readers are led to is missing.',
      }),
      message: string('The problem, without a full stop. It continues the path.'),
      suggestion: string(
        'The address or name that is probably meant, for a new problem and for a name that is gone; null if it is not clear.',
      ).nullable(),
      state: namedEnum('FindingState', ['introduced', 'fixed', 'remaining']),
      byPerson: boolean(
        'Whether it came with a commit that a person pushed to the branch. Such a problem fails no job.',
      ),
    })
    .openapi('Finding'),
)

const driftSchema = schemaOf<NonNullable<Review['checks']['drift']>>()(
  z
    .object({
      sources: list(
        z
          .object({
            name: z.string(),
            commit: string('Null if it could not be read: then no finding says that something is gone.').nullable(),
            revisions: count('Revisions of its history that were compared.'),
            since: z.iso
              .datetime()
              .nullable()
              .openapi({ description: 'The time of the oldest of them; null: only the commit itself.' }),
            isWhole: boolean('Whether nothing of its history is left to be compared.'),
          })
          .openapi('DriftSource'),
        'By the names of the project.',
      ),
      files: count('Files of the sources that were read.'),
      pages: count('Pages that describe the product as it is now.'),
      terms: count('Their names, flags, variables and operations.'),
    })
    .openapi('Drift'),
)

const noteSchema = schemaOf<ReviewNote>()(
  z
    .object({
      path,
      line: z.int().nullable().openapi({ minimum: 1, description: 'Counted from 1; null for a note about the file.' }),
      message: string('It continues the path.'),
    })
    .openapi('ReviewNote'),
)

export const lossSchema = schemaOf<Review['losses'][number]>()(
  z
    .object({
      path,
      headings: list(z.string(), 'Headings that no page has any more.'),
      codeBlocks: list(z.string(), 'The first lines of code blocks that no page has any more.'),
      fields: list(z.string(), 'The fields `permalink`, `slug`, `id` and `title` that its frontmatter no longer has.'),
      words: z
        .object({ before: count('Before the change.'), after: count('After it.') })
        .nullable()
        .openapi({ description: 'The words of the page, if it lost more than 30 %; otherwise null.' }),
    })
    .openapi('PageLoss'),
)

const termSchema = schemaOf<Review['ungrounded'][number]>()(
  z.object({ path, line, term: string('As the page has it.') }).openapi('UngroundedTerm'),
)

const hostSchema = schemaOf<NewHost>()(
  z.object({ host: z.string(), path, line: z.int().openapi({ minimum: 1 }) }).openapi('NewHost'),
)

export const coverageShape = {
  judged: count('Links, entries and, with sources, names that were looked up.'),
  notJudged: z
    .array(
      z
        .object({
          reason: namedEnum('NotJudgedReason', reasonNames),
          message: z.string(),
          count: z.int(),
          example: string('Path, line and address.'),
        })
        .openapi('NotJudged'),
    )
    .readonly(),
}

const coverageSchema = z
  .object({
    ...coverageShape,
    site: z
      .object(coverageShape)
      .openapi('SiteCoverage', { description: 'Of all pages.' })
      .nullable()
      .openapi({ description: 'Null while `remaining` is.' }),
  })
  .openapi('Coverage', {
    description: 'How much was judged of what the change touches.',
  })

export const remainingText =
  'Problems that both have; null as long as the rest of the site is still being checked, after the first run of a large repository.'

export const reviewSchema = schemaOf<ReviewResponse>()(
  z
    .object({
      introduced: count('Problems that the branch has, and its base has not.'),
      fixed: count('Problems that the base has, and the branch has not.'),
      remaining: count(remainingText).nullable(),
      ignored: count('Introduced problems that the settings of the project ignore. They count nowhere else.'),
      coverage: coverageSchema,
      drift: driftSchema.nullable().openapi({
        description:
          'With which sources of the project all pages were compared. Null without sources, and while `remaining` is.',
      }),
      findings: list(findingSchema, 'At most 1,000 of each state.'),
      losses: z.array(lossSchema).readonly(),
      hosts: list(hostSchema, 'Other sites that the branch links to or shows images from, and its base does not.'),
      ungrounded: list(
        termSchema,
        'Names, paths and values that the branch adds to pages, and that were found nowhere: not in the base, its sources, messages or fetched pages. At most 200.',
      ),
      grounding: z
        .object({
          judged: count('Terms that were looked up.'),
          notJudged: count('Terms that could not be, such as for the time it takes.'),
          missing: count('Terms that were found nowhere.'),
        })
        .nullable()
        .openapi({ description: 'Null if the project has turned it off.' }),
      warnings: list(noteSchema, 'Why the pull request is a draft that says so first.'),
      expected: list(noteSchema, 'Named by `pathPolicy.expected`: no draft.'),
      refused: list(noteSchema, 'Edits of the agent that the policy of the project refused.'),
    })
    .openapi('JobChecks', { example: exampleReview() }),
)

export const sarifType = 'application/sarif+json'

const sarifSchema = z
  .object({ $schema: z.string(), version: z.string(), runs: z.array(z.unknown()) })
  .openapi('SarifLog', {
    example: { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [] },
  })

export const sarifBody = {
  description: 'A SARIF 2.1.0 log.',
  content: { [sarifType]: { schema: sarifSchema } },
  headers: headers(),
}

function exampleReview(): ReviewResponse {
  return {
    introduced: 1,
    fixed: 2,
    remaining: 41,
    ignored: 0,
    coverage: {
      judged: 14,
      notJudged: [],
      site: { judged: 815, notJudged: [] },
    },
    drift: {
      sources: [
        {
          name: 'api',
          commit: '3f2c1d8a9b0c1d2e3f405162738495a6b7c8d9e0',
          revisions: 120,
          since: '2023-03-01T09:30:00.000Z',
          isWhole: true,
        },
      ],
      files: 1705,
      pages: 80,
      terms: 1204,
    },
    findings: [
      {
        path: 'guides/install.md',
        line: 12,
        kind: 'link',
        severity: 'wrong',
        message: 'links to /setup, which does not exist',
        suggestion: '/guides/setup',
        state: 'introduced',
        byPerson: false,
      },
    ],
    losses: [],
    hosts: [{ host: 'status.example.com', path: 'guides/install.md', line: 30 }],
    ungrounded: [{ path: 'guides/install.md', line: 18, term: '--max-lines' }],
    grounding: { judged: 24, notJudged: 0, missing: 1 },
    warnings: [],
    expected: [],
    refused: [],
  }
}
