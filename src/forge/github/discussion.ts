// Reads pull requests and issues of one repository on GitHub, where every pull request is an issue, too.

import { z } from 'zod'
import type { Discussion, DiscussionKey, Discussions } from '../discussion/discussion.ts'
import { createKeyOf, mostRemarks, readOptional, toDiscussion, toRemark } from '../discussion/read.ts'
import { body, instant, text, title } from '../reply/shapes.ts'
import type { GitHub } from './github.ts'

const user = z.object({ login: text(200) }).nullish()
const issueSchema = z.object({
  title,
  state: text(50),
  user,
  body: body.nullish(),
  pull_request: z.object({ merged_at: text(40).nullish() }).optional(),
})
const commentsSchema = z.array(z.object({ user, body: body.nullish(), created_at: instant }))
const lineCommentsSchema = z.array(
  z.object({ user, body: body.nullish(), created_at: instant, path: text(4_096), line: z.int().nullish() }),
)

export function createGitHubDiscussions(github: GitHub): Discussions {
  const { webUrl, owner, name } = github.repository
  return {
    keyOf: createKeyOf(
      { webUrl, path: `${owner}/${name}` },
      { pull: /^pull\/(\d+)(?:\/(?:files|changes|commits|checks))?\/?$/, issue: /^issues\/(\d+)\/?$/ },
    ),
    read: (key, signal) => read(github, key, signal),
  }
}

async function read(
  { client, path, asked }: GitHub,
  { number }: DiscussionKey,
  signal: AbortSignal,
): Promise<Discussion | undefined> {
  const common = { client, asked: asked.pullRequests, query: { per_page: mostRemarks } }
  const issue = await readOptional(
    { client, asked: common.asked, path: `${path}/issues/${number}`, schema: issueSchema },
    signal,
  )
  if (!issue) return undefined
  const comments = await readOptional(
    { ...common, path: `${path}/issues/${number}/comments`, schema: commentsSchema },
    signal,
  )
  const pull = issue.pull_request
  const onLines = pull
    ? await readOptional({ ...common, path: `${path}/pulls/${number}/comments`, schema: lineCommentsSchema }, signal)
    : []
  const state = pull?.merged_at ? 'merged' : issue.state
  const key = { kind: pull ? 'pull' : 'issue', number } as const
  return toDiscussion(key, { ...issue, state, author: issue.user?.login }, [
    (comments ?? []).map((row) => toRemark(row.user?.login, row.created_at, row.body)),
    (onLines ?? []).map((row) => toRemark(row.user?.login, row.created_at, row.body, row)),
  ])
}
