// Pull requests as responses have them: Docent's own, and those of jobs on a forge.

import { z } from '@hono/zod-openapi'
import { forgeKinds } from '../../../forge/host.ts'
import type { PullResponse } from '../../../forge/own/response.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const stateSchema = z.enum(['open', 'merged', 'closed'])

export const pullSchema = schemaOf<PullResponse>()(
  z
    .object({
      number: z.int().openapi({ minimum: 1, description: 'The number of the pull request on its forge.' }),
      forge: z.enum(['docent', ...forgeKinds]).openapi({
        description:
          "`docent`: Docent's own, which are merged and closed here. The others are merged and closed there.",
      }),
      jobId: z.string(),
      title: z.string(),
      body: z.string(),
      branch: z.string(),
      base: z.string().openapi({ description: 'The branch that the pull request merges into.' }),
      state: stateSchema,
      link: z.string().openapi({
        description: "The page of the pull request. Anyone with the link can read Docent's own.",
      }),
      headCommit: z.string(),
      mergeCommit: z.string().nullable(),
      createdAt: z.string().openapi({ format: 'date-time' }),
      updatedAt: z.string().openapi({ format: 'date-time' }),
    })
    .openapi('PullRequest', {
      example: {
        number: 1,
        forge: 'docent',
        jobId: 'job_0123456789abcdefghij',
        title: 'Rename "Acme CLI" to "Acme Command"',
        body: 'Renamed in 3 files.',
        branch: 'docent/job_0123456789abcdefghij',
        base: 'main',
        state: 'open',
        link: 'https://docs.example.com/pulls/0123456789abcdefghijkl',
        headCommit: '4f2c1d0b9a8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
        mergeCommit: null,
        createdAt: '2026-11-20T09:01:10.000Z',
        updatedAt: '2026-11-20T09:01:10.000Z',
      },
    }),
)

export const pullsSchema = z
  .object({
    pulls: z.array(pullSchema).readonly().openapi({ description: 'The newest pull requests first, at most 1,000.' }),
  })
  .openapi('PullRequests')

export const pullListQuery = z.object({
  state: stateSchema.optional().openapi({ description: 'Return only pull requests in this state.' }),
})
