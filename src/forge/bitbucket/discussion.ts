// Reads pull requests and issues of one repository on Bitbucket Cloud. A repository may have no issues.

import { z } from 'zod'
import type { Discussion, DiscussionKey, Discussions } from '../discussion/discussion.ts'
import { createKeyOf, mostRemarks, readOptional, toDiscussion, toRemark } from '../discussion/read.ts'
import { body, instant, text, title } from '../reply/shapes.ts'
import type { Bitbucket } from './bitbucket.ts'

const person = z.object({ display_name: text(300).nullish() }).nullish()
const content = z.object({ raw: body.nullish() }).nullish()
const shownSchema = z.object({
  title,
  state: text(50),
  /** The two of a pull request. */
  author: person,
  description: body.nullish(),
  /** The two of an issue. */
  reporter: person,
  content,
})
const commentsSchema = z.object({
  values: z.array(
    z.object({
      user: person,
      content,
      created_on: instant,
      deleted: z.boolean().nullish(),
      inline: z.object({ path: text(4_096).nullish(), to: z.int().nullish(), from: z.int().nullish() }).nullish(),
    }),
  ),
  next: text(4_000).nullish(),
})

export function createBitbucketDiscussions(bitbucket: Bitbucket): Discussions {
  return {
    keyOf: createKeyOf(bitbucket.place, { pull: /^pull-requests\/(\d+)(?:\/.*)?$/, issue: /^issues\/(\d+)(?:\/.*)?$/ }),
    read: (key, signal) => read(bitbucket, key, signal),
  }
}

async function read(
  { client, path, asked }: Bitbucket,
  key: DiscussionKey,
  signal: AbortSignal,
): Promise<Discussion | undefined> {
  const place = `${path}/${key.kind === 'pull' ? 'pullrequests' : 'issues'}/${key.number}`
  const common = { client, asked: asked.read }
  const shown = await readOptional({ ...common, path: place, schema: shownSchema }, signal)
  if (!shown) return undefined
  const reading = { ...common, path: `${place}/comments`, query: { pagelen: mostRemarks }, schema: commentsSchema }
  const { values = [], next } = (await readOptional(reading, signal)) ?? {}
  const author = (shown.author ?? shown.reporter)?.display_name
  const found = toDiscussion(key, { ...shown, author, body: shown.description ?? shown.content?.raw }, [
    // Changes of an issue are comments without a text.
    values
      .filter((row) => row.deleted !== true && (row.content?.raw ?? '') !== '')
      .map(({ user, content: words, created_on: at, inline }) =>
        toRemark(user?.display_name, at, words?.raw, { path: inline?.path, line: inline?.to ?? inline?.from }),
      ),
  ])
  return { ...found, isWhole: next == null }
}
