// Reads what happens on the pull requests of one repository on Bitbucket Cloud: comments and statuses of the head. Opinions are in
// the pull request itself. Bitbucket has no list for the whole repository, and counts each request.

import { z } from 'zod'
import {
  type ActivityReader,
  type Author,
  type Entry,
  type EntryKey,
  entryText,
  latest,
  type Mark,
  mostEntries,
  overlapping,
  type Read,
} from '../../activity/activity.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { body, instant, pageLink, text } from '../../reply/shapes.ts'
import type { Bitbucket } from '../bitbucket.ts'
import { accountSchema, type BitbucketPull } from '../pull.ts'
import { readAccount } from './account.ts'
import { mayWrite } from './permission.ts'

const pageSize = 50
const mostPages = 10

const next = text(4_000).nullish()
const line = z.int().positive().nullish()
const commentsSchema = z.object({
  values: z
    .array(
      z.object({
        id: z.int().positive(),
        content: z.object({ raw: body.nullish() }).nullish(),
        user: accountSchema.nullish(),
        created_on: instant,
        updated_on: instant,
        deleted: z.boolean().nullish(),
        /** Its author has not sent it yet. */
        pending: z.boolean().nullish(),
        inline: z.object({ path: text(4_096), to: line, from: line }).nullish(),
        links: z.object({ html: z.object({ href: text(2_000) }).nullish() }).nullish(),
      }),
    )
    .max(1_000),
  next,
})
const statusesSchema = z.object({
  values: z
    .array(
      z.object({
        key: text(300),
        name: text(1_000).nullish(),
        description: text(10_000).nullish(),
        state: text(50),
        created_on: instant,
      }),
    )
    .max(1_000),
})

type Comment = z.infer<typeof commentsSchema>['values'][number]

export function createBitbucketActivity(bitbucket: Bitbucket): ActivityReader {
  return {
    counted: [],
    ofRepository: undefined,
    ofPull: async ({ number, head }, marks, signal) => {
      const comments = await readChanges(bitbucket, number, marks['comments'], signal)
      const statuses = await readStatuses(bitbucket, { number, head }, signal)
      const { deleted } = comments
      const entries = [...comments.entries, ...statuses.entries]
      return { entries, deleted, marks: { comments: comments.mark }, off: statuses.off }
    },
    readAll: async (number, signal) => {
      const { rows, isWhole } = await readComments(bitbucket, { number, pages: mostEntries / pageSize }, signal)
      return isWhole ? (await toEntries(bitbucket, number, rows, signal)).entries : undefined
    },
    mayWrite: ({ id }, signal) => mayWrite(bitbucket, id, signal),
    doubt:
      'Bitbucket says who may push only to an administrator of the repository, and Docent is none there: `docent forge check` says what to change.',
  }
}

async function readChanges(bitbucket: Bitbucket, number: number, mark: Mark | undefined, signal: AbortSignal) {
  const { rows } = await readComments(bitbucket, { number, pages: mostPages, since: mark?.since }, signal)
  const last = latest(rows.map((row) => row.updated_on))
  const since = last === undefined ? mark?.since : new Date(overlapping(last)).toISOString()
  return { ...(await toEntries(bitbucket, number, rows, signal)), mark: { since } }
}

type Listing = { readonly number: number; readonly pages: number; readonly since?: string | undefined }

/** The last changed first, back to `since`: a comment that changes meanwhile comes twice, and no comment is left out. */
async function readComments(
  { client, path, asked }: Bitbucket,
  { number, pages, since = '' }: Listing,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly Comment[]; readonly isWhole: boolean }> {
  const rows: Comment[] = []
  for (let page = 1; page <= pages; page += 1) {
    const query = { sort: '-updated_on', pagelen: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}/comments`, query }, signal)
    const found = parseReply(reply, commentsSchema, asked.read)
    rows.push(...found.values)
    const oldest = found.values.at(-1)?.updated_on
    if (found.next == null || oldest === undefined || oldest < since) return { rows, isWhole: true }
  }
  return { rows, isWhole: false }
}

/** Accounts are mentioned by ids. That of this credential becomes its name, which people see. */
async function toEntries(
  bitbucket: Bitbucket,
  number: number,
  rows: readonly Comment[],
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Entry[]; readonly deleted: readonly EntryKey[] }> {
  const sent = rows.filter(({ pending }) => pending !== true)
  const there = sent.filter(({ deleted }) => deleted !== true)
  const isNamed = there.some(({ content }) => mention.test(content?.raw ?? ''))
  const account = isNamed && bitbucket.user !== null ? await readAccount(bitbucket, signal) : null
  const named = (words: string) =>
    words.replaceAll(new RegExp(mention, 'g'), (all, id: string) =>
      account?.name != null && account.ids.includes(id) ? `@${account.name}` : all,
    )
  return {
    entries: there.map((row) => fromComment(bitbucket, number, row, named)),
    deleted: sent.filter(({ deleted }) => deleted === true).map(keyOf),
  }
}

const mention = /@\{([^{}\s]{1,200})\}/

function keyOf({ id, inline }: Comment): EntryKey {
  return { kind: inline == null ? 'comment' : 'review_comment', forgeId: String(id) }
}

function fromComment({ place }: Bitbucket, number: number, row: Comment, named: (words: string) => string): Entry {
  const { inline, links, content } = row
  return {
    ...keyOf(row),
    number,
    author: authorOf(row.user),
    at: row.created_on,
    text: entryText(named(content?.raw ?? '')),
    path: inline == null ? null : entryText(inline.path),
    line: inline?.to ?? inline?.from ?? null,
    link: pageLink(links?.html?.href ?? '', place.webUrl, `${place.path}/pull-requests/${number}`),
    state: null,
  }
}

/** Tokens of repositories, and apps, are no users. */
export function authorOf(given: Comment['user']): Author | null {
  if (given?.uuid == null) return null
  const login = entryText(given.nickname ?? given.display_name ?? '')
  return { id: given.uuid, login, isBot: given.type != null && given.type !== 'user' }
}

type PullAt = { readonly number: number; readonly head: string }

const statuses: Readonly<Record<string, string>> = { SUCCESSFUL: 'success', INPROGRESS: 'pending' }

async function readStatuses(
  { client, path, place, asked }: Bitbucket,
  { number, head }: PullAt,
  signal: AbortSignal,
): Promise<Omit<Read, 'marks'>> {
  if (head === '') return { entries: [], off: [] }
  const query = { pagelen: pageSize }
  const reply = await client.ask({ method: 'GET', path: `${path}/commit/${head}/statuses`, query }, signal)
  if (isStatus(reply, 403, 404)) return { entries: [], off: ['status'] }
  const { values } = parseReply(reply, statusesSchema, asked.read)
  const entries = values.map((row): Entry => ({
    kind: 'status',
    // The key is that of the commit.
    forgeId: `${head} ${row.key}`,
    number,
    author: null,
    at: row.created_on,
    text: entryText(row.description ? `${row.name || row.key}: ${row.description}` : row.name || row.key),
    path: null,
    line: null,
    // Its own link leads to another service.
    link: `${place.webUrl}/${place.path}/pull-requests/${number}`,
    state: statuses[row.state] ?? row.state.toLowerCase(),
  }))
  return { entries, off: [] }
}

/** The opinions that the pull request shows. One that was taken back is deleted. */
export function opinionsIn(pull: BitbucketPull, link: string): Pick<Read, 'entries' | 'deleted'> {
  const rows = (pull.participants ?? []).flatMap((row) => {
    const author = authorOf(row.user)
    return author ? [{ ...row, author, kind: 'review' as const, forgeId: `${pull.id} ${author.id}` }] : []
  })
  const entries = rows.flatMap(({ kind, forgeId, author, state, participated_on: at }): readonly Entry[] => {
    if (state == null) return []
    const nowhere = { text: '', path: null, line: null }
    return [{ kind, forgeId, number: pull.id, author, at: at ?? pull.updated_on, ...nowhere, link, state }]
  })
  return { entries, deleted: rows.filter(({ state }) => state == null) }
}
