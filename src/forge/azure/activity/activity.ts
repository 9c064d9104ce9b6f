// Reads what happens on the pull requests of one repository on Azure DevOps. All threads of a pull request come in one response, with
// the deleted ones and the votes; the list knows no time, no page and no ETag.

import { z } from 'zod'
import {
  type ActivityReader,
  type Author,
  type Entry,
  entryText,
  mostEntries,
  type Read,
} from '../../activity/activity.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { instant, text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'
import { isFacts } from '../facts-comment.ts'
import { askForThreads, type Identity, isWritten, type Thread, threadsSchema } from '../threads.ts'
import { readAccount } from './account.ts'
import { mayWrite, mostDays } from './permission.ts'

const statusesSchema = z.object({
  value: z
    .array(
      z.object({
        id: z.int(),
        state: text(50).nullish(),
        description: text(10_000).nullish(),
        context: z.object({ name: text(1_000).nullish() }).nullish(),
        creationDate: instant,
      }),
    )
    .max(10_000),
})

export function createAzureActivity(azure: Azure): ActivityReader {
  return {
    counted: [],
    ofRepository: undefined,
    ofPull: async ({ number, head }, _, signal) => {
      const { entries, deleted } = await readThreads(azure, number, signal)
      const statuses = await readStatuses(azure, { number, head }, signal)
      return { entries: [...entries, ...statuses.entries], deleted, marks: {}, off: statuses.off }
    },
    readAll: async (number, signal) => {
      const { entries } = await readThreads(azure, number, signal)
      return entries.length > mostEntries ? undefined : entries
    },
    mayWrite: ({ id }, signal) => mayWrite(azure, { id, now: new Date() }, signal),
    doubt: `Azure DevOps does not say who may push, so Docent goes by pushes, and knows of no push of the author to this repository in the last ${mostDays} days.`,
  }
}

async function readThreads(
  azure: Azure,
  number: number,
  signal: AbortSignal,
): Promise<Pick<Read, 'entries' | 'deleted'>> {
  const { value } = parseReply(await askForThreads(azure, number, signal), threadsSchema, azure.asked.read)
  const rows = value.flatMap((thread) => rowsOf(thread, number))
  const there = rows.filter(({ isDeleted, entry }) => !isDeleted && !isFacts(entry.text))
  const isNamed = there.some(({ entry }) => entry.text.search(mention) >= 0)
  const account = isNamed ? await readAccount(azure, signal) : null
  const link = `${azure.place.webUrl}/${azure.place.path}/pullrequest/${number}`
  const entries = there.map(({ entry, thread }) => ({
    ...entry,
    text: withName(entry.text, account),
    link: `${link}?discussionId=${thread}`,
  }))
  return {
    entries: [...entries, ...value.flatMap((thread) => voteIn(thread, { number, link }))],
    deleted: rows.filter(({ isDeleted }) => isDeleted).map(({ entry: { kind, forgeId } }) => ({ kind, forgeId })),
  }
}

type Row = { readonly entry: Omit<Entry, 'link'>; readonly thread: number; readonly isDeleted: boolean }

/** Ids of comments are unique in their thread. */
function rowsOf({ id: thread, isDeleted, threadContext: on, comments }: Thread, number: number): readonly Row[] {
  const path = on?.filePath ?? null
  return (comments ?? []).flatMap((row) => {
    if (row.publishedDate == null || !isWritten(row)) return []
    const entry = {
      kind: path === null ? ('comment' as const) : ('review_comment' as const),
      forgeId: `${number}.${thread}.${row.id}`,
      number,
      author: authorOf(row.author),
      at: row.publishedDate,
      text: entryText(row.content),
      path: path === null ? null : entryText(path.replace(/^\//, '')),
      line: on?.rightFileStart?.line ?? on?.leftFileStart?.line ?? null,
      state: null,
    }
    return [{ entry, thread, isDeleted: isDeleted === true || row.isDeleted === true }]
  })
}

/** `@<id>`; people see the name. */
const mention = /@<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/i

/** The id of the account of this token becomes its name. */
function withName(words: string, account: Awaited<ReturnType<typeof readAccount>>): string {
  if (account === null) return words
  return words.replaceAll(new RegExp(mention, 'gi'), (all, id: string) =>
    id.toLowerCase() === account.id ? `@${account.name}` : all,
  )
}

/** The people of an organization, by how they sign in; everything else is a service, an app or a group. */
const people = /^(?:aad|msa|acs|bnd|imp)\./

export function authorOf(given: Identity): Author | null {
  if (given?.id == null) return null
  const isOther = given.descriptor != null && !people.test(given.descriptor)
  return {
    id: given.id.toLowerCase(),
    login: entryText(given.displayName),
    isBot: given.isContainer === true || isOther,
  }
}

type On = { readonly number: number; readonly link: string }

/** 10: approved, 5: with suggestions, 0: taken back, -5: waits for the author, -10: rejected. */
function voteIn({ id, properties, identities, comments }: Thread, { number, link }: On): readonly Entry[] {
  const at = comments?.[0]?.publishedDate
  if (properties?.CodeReviewThreadType?.$value !== 'VoteUpdate' || at == null) return []
  const vote = Number(properties.CodeReviewVoteResult?.$value)
  if (!Number.isInteger(vote)) return []
  const key = String(properties.CodeReviewVotedByIdentity?.$value ?? '')
  const named = {
    id: wordOf(properties.CodeReviewVotedByTfId),
    displayName: wordOf(properties.CodeReviewVotedByDisplayName),
  }
  const author = authorOf(identities?.[key]) ?? authorOf(named)
  const state = vote > 0 ? 'approved' : vote < 0 ? 'changes_requested' : 'dismissed'
  return [
    { kind: 'review', forgeId: `${number}.${id}`, number, author, at, text: '', path: null, line: null, link, state },
  ]
}

function wordOf(given: { readonly $value?: string | number | null | undefined } | null | undefined): string | null {
  return given?.$value == null ? null : String(given.$value)
}

type PullAt = { readonly number: number; readonly head: string }

const states: Readonly<Record<string, string>> = { succeeded: 'success', notApplicable: 'skipped', notSet: 'pending' }

/** Every state that a check ever had is in the list, each with an id of its own. */
async function readStatuses(
  { client, path, place, asked }: Azure,
  { number, head }: PullAt,
  signal: AbortSignal,
): Promise<Omit<Read, 'marks'>> {
  if (head === '') return { entries: [], off: [] }
  const reply = await client.ask({ method: 'GET', path: `${path}/commits/${head}/statuses` }, signal)
  if (isStatus(reply, 403, 404)) return { entries: [], off: ['status'] }
  const { value } = parseReply(reply, statusesSchema, asked.read)
  const entries = value.map((row): Entry => {
    const name = row.context?.name || 'status'
    return {
      kind: 'status',
      forgeId: `${head} ${row.id}`,
      number,
      author: null,
      at: row.creationDate,
      text: entryText(row.description ? `${name}: ${row.description}` : name),
      path: null,
      line: null,
      link: `${place.webUrl}/${place.path}/pullrequest/${number}`,
      state: states[row.state ?? 'notSet'] ?? row.state ?? null,
    }
  })
  return { entries, off: [] }
}
