// Reads merge requests and issues of one project on GitLab, without what only members of the project may see: confidential
// issues, and internal notes.

import { z } from 'zod'
import type { Discussion, DiscussionKey, Discussions } from '../discussion/discussion.ts'
import { createKeyOf, mostRemarks, readOptional, toDiscussion, toRemark } from '../discussion/read.ts'
import { body, instant, text, title } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'

const author = z.object({ username: text(300) }).nullish()
const shownSchema = z.object({
  title,
  state: text(50),
  author,
  description: body.nullish(),
  confidential: z.boolean().nullish(),
})
const path = text(4_096).nullish()
const line = z.int().nullish()
const notesSchema = z.array(
  z.object({
    body: body.nullish(),
    author,
    created_at: instant,
    system: z.boolean(),
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
    position: z.object({ new_path: path, old_path: path, new_line: line, old_line: line }).nullish(),
  }),
)

export function createGitLabDiscussions(gitlab: GitLab): Discussions {
  return {
    keyOf: createKeyOf(gitlab, {
      pull: /^(?:-\/)?merge_requests\/(\d+)(?:\/(?:diffs|commits|pipelines))?\/?$/,
      issue: /^(?:-\/)?(?:issues|work_items)\/(\d+)\/?$/,
    }),
    read: (key, signal) => read(gitlab, key, signal),
  }
}

async function read(
  { client, project, asked }: GitLab,
  key: DiscussionKey,
  signal: AbortSignal,
): Promise<Discussion | undefined> {
  const place = `${project}/${key.kind === 'pull' ? 'merge_requests' : 'issues'}/${key.number}`
  const shown = await readOptional({ client, asked: asked.read, path: place, schema: shownSchema }, signal)
  if (!shown || shown.confidential === true) return undefined
  const query = { order_by: 'created_at', sort: 'asc', per_page: mostRemarks }
  const reading = { client, asked: asked.read, path: `${place}/notes`, query, schema: notesSchema }
  const notes = (await readOptional(reading, signal)) ?? []
  const isPublic = (note: (typeof notes)[number]) =>
    !note.system && note.internal !== true && note.confidential !== true
  const state = shown.state === 'opened' ? 'open' : shown.state
  const found = toDiscussion(key, { ...shown, state, author: shown.author?.username, body: shown.description }, [
    notes.filter(isPublic).map(({ author: by, created_at: at, body: words, position }) => {
      const on = { path: position?.new_path ?? position?.old_path, line: position?.new_line ?? position?.old_line }
      return toRemark(by?.username, at, words, on)
    }),
  ])
  return { ...found, isWhole: notes.length < mostRemarks }
}
