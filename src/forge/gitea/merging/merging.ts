// Whether Gitea would merge a pull request, and the merge of one commit. Gitea has no list of threads: a thread is the comments
// on one line, and its first comment says whether it is resolved.

import { z } from 'zod'
import { askToMerge } from '../../merging/answer.ts'
import { mapKnown, readWhole } from '../../merging/checks.ts'
import { type HostMerging, type Known, known, type MergeOrder, type MergeState } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Gitea } from '../gitea.ts'
import { pullSchema, toHostedPull } from '../pull.ts'
import { ask, pageSize } from './ask.ts'
import { readStatuses } from './checks.ts'

export function createGiteaMerging(gitea: Gitea): HostMerging {
  return {
    checks: ({ head }, signal) => readStatuses(gitea, head, signal),
    read: (number, signal) => read(gitea, number, signal),
    merge: (order, signal) => merge(gitea, order, signal),
  }
}

const readySchema = pullSchema.extend({ mergeable: z.boolean() })
const repositorySchema = z.object({ default_merge_style: text(100).optional() })

async function read(gitea: Gitea, number: number, signal: AbortSignal): Promise<MergeState | undefined> {
  const reply = await ask(gitea, { place: `/pulls/${number}` }, signal)
  if (isStatus(reply, 404)) return undefined
  const row = parseReply(reply, readySchema, gitea.asked.read)
  const repository = parseReply(await ask(gitea, { place: '' }, signal), repositorySchema, gitea.asked.read)
  const pull = toHostedPull(row, gitea.place)
  const reviews = await readReviews(gitea, number, signal)
  return {
    pull,
    refusal: known(row.mergeable ? null : 'Gitea cannot merge it, or still finds out whether it can.'),
    checks: await readStatuses(gitea, pull.head.commit, signal),
    changesRequested: mapKnown(reviews, wantingChanges),
    openThreads:
      reviews.kind === 'unknown' ? reviews : await readThreads(gitea, number, { reviews: reviews.value, signal }),
    method: repository.default_merge_style,
  }
}

const id = z.int().positive()
const reviewsSchema = z
  .array(
    z.object({
      id,
      user: z.object({ login: text(300) }).nullish(),
      state: text(50),
      dismissed: z.boolean().nullish(),
      comments_count: z.int().nonnegative().nullish(),
    }),
  )
  .max(pageSize)
  .nullable()
type Review = NonNullable<z.infer<typeof reviewsSchema>>[number]

function readReviews(gitea: Gitea, number: number, signal: AbortSignal): Promise<Known<readonly Review[]>> {
  return readWhole('the reviews', async (page) => {
    const reply = await ask(gitea, { place: `/pulls/${number}/reviews`, page }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const rows = parseReply(reply, reviewsSchema, gitea.asked.pullRequests) ?? []
    return { rows, next: rows.length === pageSize }
  })
}

/** The last opinion of each account counts; the oldest review comes first. */
function wantingChanges(reviews: readonly Review[]): readonly string[] {
  const last = new Map<string, string>()
  for (const { user, state, dismissed } of reviews) {
    const opinion = dismissed === true ? 'DISMISSED' : state
    if (['APPROVED', 'REQUEST_CHANGES', 'DISMISSED'].includes(opinion)) last.set(user?.login ?? '', opinion)
  }
  return [...last].flatMap(([login, opinion]) => (opinion === 'REQUEST_CHANGES' ? login || 'a deleted account' : []))
}

const lineCommentsSchema = z
  .array(
    z.object({
      id,
      path: text(4_096),
      position: z.int().nonnegative().nullish(),
      original_position: z.int().nonnegative().nullish(),
      resolver: z.object({}).nullish(),
    }),
  )
  .nullable()

type Reviewed = { readonly reviews: readonly Review[]; readonly signal: AbortSignal }

async function readThreads(gitea: Gitea, number: number, { reviews, signal }: Reviewed): Promise<Known<number>> {
  const firsts = new Map<string, { readonly id: number; readonly isResolved: boolean }>()
  for (const review of reviews.filter(({ comments_count: count }) => count !== 0)) {
    const reply = await ask(gitea, { place: `/pulls/${number}/reviews/${review.id}/comments` }, signal)
    // It was deleted meanwhile.
    if (isStatus(reply, 404)) continue
    for (const row of parseReply(reply, lineCommentsSchema, gitea.asked.pullRequests) ?? []) {
      const line = JSON.stringify([row.path, row.position ?? 0, row.original_position ?? 0])
      const first = firsts.get(line)
      if (!first || row.id < first.id) firsts.set(line, { id: row.id, isResolved: row.resolver != null })
    }
  }
  return known([...firsts.values()].filter(({ isResolved }) => !isResolved).length)
}

/** Gitea refuses with 409 if the head is another commit. */
function merge({ client, path, asked }: Gitea, { number, head, method = 'merge' }: MergeOrder, signal: AbortSignal) {
  const body = { Do: method, head_commit_id: head }
  const request = { method: 'POST', path: `${path}/pulls/${number}/merge`, body } as const
  return askToMerge({ client, asked: asked.pullRequests }, request, signal)
}
