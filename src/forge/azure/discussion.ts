// Reads pull requests of one repository on Azure DevOps. Its work items belong to no repository.

import { z } from 'zod'
import type { Discussion, DiscussionKey, Discussions } from '../discussion/discussion.ts'
import { createKeyOf, mostRemarks, readOptional, toDiscussion, toRemark } from '../discussion/read.ts'
import { body, text, title } from '../reply/shapes.ts'
import type { Azure } from './azure.ts'
import { isWritten, threadsSchema } from './threads.ts'

const person = z.object({ displayName: text(300).nullish() }).nullish()
const shownSchema = z.object({ title, status: text(50), createdBy: person, description: body.nullish() })

export function createAzureDiscussions(azure: Azure): Discussions {
  return {
    keyOf: createKeyOf(azure.place, { pull: /^pullrequest\/(\d+)\/?$/ }),
    read: (key, signal) => read(azure, key, signal),
  }
}

const states: Readonly<Record<string, string>> = { active: 'open', completed: 'merged', abandoned: 'closed' }

async function read(
  { client, path, asked }: Azure,
  key: DiscussionKey,
  signal: AbortSignal,
): Promise<Discussion | undefined> {
  const common = { client, asked: asked.read }
  const place = `${path}/pullrequests/${key.number}`
  const shown = await readOptional({ ...common, path: place, schema: shownSchema }, signal)
  if (!shown) return undefined
  const threads = { ...common, path: `${path}/pullRequests/${key.number}/threads`, schema: threadsSchema }
  const remarks = ((await readOptional(threads, signal))?.value ?? []).flatMap((thread) => {
    const on = { path: thread.threadContext?.filePath, line: thread.threadContext?.rightFileStart?.line }
    const comments = thread.isDeleted === true ? [] : (thread.comments ?? [])
    return comments
      .filter((row) => row.isDeleted !== true && isWritten(row))
      .flatMap(({ author, publishedDate: at, content }) =>
        at == null ? [] : [toRemark(author?.displayName, at, content, on)],
      )
  })
  const state = states[shown.status] ?? shown.status
  const about = { title: shown.title, state, author: shown.createdBy?.displayName, body: shown.description }
  const found = toDiscussion(key, about, [remarks])
  return { ...found, remarks: found.remarks.slice(0, mostRemarks), isWhole: remarks.length <= mostRemarks }
}
