// Projects as the API takes and gives them.

import { z } from '@hono/zod-openapi'
import type { Project } from '../../projects/projects.ts'
import { text } from './text.ts'
import { describesView } from './view.ts'

export const projectSchema = describesView<Project>()(
  z
    .object({
      id: z.string(),
      name: z.string(),
      repository: z.string().openapi({ description: 'Address of the repository, in its normal form.' }),
      branch: z
        .string()
        .nullable()
        .openapi({ description: 'The base branch; null: the default branch of the repository.' }),
      createdAt: z.string().openapi({ format: 'date-time' }),
      updatedAt: z.string().openapi({ format: 'date-time' }),
    })
    .openapi('Project', {
      example: {
        id: 'prj_0123456789abcdefghij',
        name: 'Acme docs',
        repository: 'https://github.com/acme/docs.git',
        branch: null,
        createdAt: '2026-11-20T08:00:00.000Z',
        updatedAt: '2026-11-20T08:00:00.000Z',
      },
    }),
)

export const projectsSchema = z
  .object({ projects: z.array(projectSchema).readonly().openapi({ description: 'By name, then by id.' }) })
  .openapi('Projects')

export const newProjectSchema = z
  .object({
    name: text({ max: 100, description: 'For people.', example: 'Acme docs' }),
    repository: text({
      max: 2_000,
      description: 'Address of the repository, without a user or password.',
      example: 'https://github.com/acme/docs.git',
    }),
    branch: text({ max: 250, description: 'The base branch; null: the default branch of the repository.' })
      .nullable()
      .default(null),
  })
  .openapi('NewProject')
