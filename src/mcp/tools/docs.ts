// Tools on projects and their documentation: what there is, what a text would break, and what is not documented.

import { z } from 'zod'
import { tool, withQuery } from '../tool.ts'
import { cursor, limit, line, projectId } from './arguments.ts'

type Project = { readonly id: unknown; readonly name: unknown; readonly repository: unknown; readonly branch: unknown }
type Sourced = { readonly sources?: readonly { readonly name: unknown; readonly repository: unknown }[] }

export const listProjects = tool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Lists the projects that the key can see: id, name, repository of the documentation, base branch (null: the default one of the repository), and sources, the repositories of the product that jobs read.',
  scope: 'read',
  rest: 'Ask again with a smaller limit.',
  input: z.strictObject({ limit: limit(100, 50), cursor }),
  call: (query) => ({ method: 'GET', path: withQuery('/v1/projects', query) }),
  show: (response) => {
    const { projects, nextCursor } = response as {
      readonly projects: readonly (Project & Sourced)[]
      readonly nextCursor: unknown
    }
    const shown = projects.map(({ id, name, repository, branch, sources = [] }) => {
      const named = sources.map((source) => ({ name: source.name, repository: source.repository }))
      return { id, name, repository, branch, sources: named }
    })
    return { projects: shown, nextCursor }
  },
})

export const checkText = tool({
  name: 'check_text',
  title: 'Check text of the documentation',
  description:
    'Checks files as if they were in the documentation of the project: links, anchors, navigation, frontmatter and syntax. Returns the problems that they would bring to the base branch, with line and, if it is clear, what is probably meant. Stores nothing. Give the whole text of each file.',
  scope: 'read',
  rest: 'Fix these problems first, or check fewer files.',
  input: z.strictObject({
    projectId,
    files: z
      .array(
        z.strictObject({
          path: line(1_024, 'The path in the repository, such as docs/start.md.'),
          text: z.string().max(500_000).nullable().describe('The whole text; null: the file is deleted.'),
        }),
      )
      .min(1)
      .max(20),
  }),
  call: ({ projectId, files }) => ({ method: 'POST', path: `/v1/projects/${projectId}/check`, body: { files } }),
})

export const affectedPages = tool({
  name: 'affected_pages',
  title: 'Rank affected pages',
  description:
    'Ranks the pages of the documentation that a change of the product concerns, and says whether it concerns the documentation at all. No model is asked. The first request for a repository may take minutes.',
  scope: 'read',
  rest: 'Ask again with a smaller limit.',
  input: z.strictObject({
    projectId,
    source: line(40, 'The name of a source. Default: the repository of the documentation.').optional(),
    from: line(200, 'The change begins after this one: a tag, a branch, a commit, a date or last-tag.'),
    to: line(200, 'The last commit of the change. Default: the newest one of the branch.').optional(),
    limit: limit(100, 20),
  }),
  call: ({ projectId, ...query }) => ({ method: 'GET', path: withQuery(`/v1/projects/${projectId}/affected`, query) }),
})

export const getLedger = tool({
  name: 'get_ledger',
  title: 'Get the ledger',
  description:
    'Lists commits of the product that automations follow, and whether each is documented: documented, skipped, waiting, rejected or set_aside; counts has the numbers. Without a follower (followers.count is 0) an empty list says nothing.',
  scope: 'read',
  rest: 'Ask again with a smaller limit.',
  input: z.strictObject({
    projectId,
    source: line(40, 'The name of a source, or . for the repository of the project. Default: all.').optional(),
    from: line(200, 'Only commits after this one: a tag, a commit, a date or last-tag. Needs source.').optional(),
    to: line(200, 'The last commit. Needs from.').optional(),
    state: z.enum(['documented', 'skipped', 'waiting', 'rejected', 'set_aside']).optional(),
    limit: limit(50, 20),
    cursor,
  }),
  call: ({ projectId, ...query }) => ({ method: 'GET', path: withQuery(`/v1/projects/${projectId}/ledger`, query) }),
})
