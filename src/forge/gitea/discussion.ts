// Reads pull requests and issues of one repository on Gitea or Forgejo, where every pull request is an issue, too. Its list of
// comments has no pages.

import { z } from 'zod'
import type { Discussion, DiscussionKey, Discussions } from '../discussion/discussion.ts'
import { createKeyOf, readOptional, mostRemarks, toDiscussion, toRemark } from '../discussion/read.ts'
import { body, instant, text, title } from '../reply/shapes.ts'
import type { Gitea } from './gitea.ts'

const user = z.object({ login: text(300) }).nullish()
const issueSchema = z.object({
  title,
  state: text(50),
  user,
  body: body.nullish(),
  pull_request: z.object({ merged: z.boolean().nullish() }).nullish(),
})
const commentsSchema = z.array(z.object({ user, body: body.nullish(), created_at: instant })).nullable()

export function createGiteaDiscussions(gitea: Gitea): Discussions {
  return {
    keyOf: createKeyOf(gitea.place, {
      pull: /^pulls\/(\d+)(?:\/(?:files|commits))?\/?$/,
      issue: /^issues\/(\d+)\/?$/,
    }),
    read: (key, signal) => read(gitea, key, signal),
  }
}

async function read(
  { client, path, asked }: Gitea,
  { number }: DiscussionKey,
  signal: AbortSignal,
): Promise<Discussion | undefined> {
  const common = { client, asked: asked.pullRequests }
  const issue = await readOptional({ ...common, path: `${path}/issues/${number}`, schema: issueSchema }, signal)
  if (!issue) return undefined
  const place = `${path}/issues/${number}/comments`
  const comments = (await readOptional({ ...common, path: place, schema: commentsSchema }, signal)) ?? []
  const state = issue.pull_request?.merged === true ? 'merged' : issue.state
  const key = { kind: issue.pull_request ? 'pull' : 'issue', number } as const
  return toDiscussion(key, { ...issue, state, author: issue.user?.login }, [
    comments.slice(0, mostRemarks).map((row) => toRemark(row.user?.login, row.created_at, row.body)),
  ])
}
