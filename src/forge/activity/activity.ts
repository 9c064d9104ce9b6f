// The activity on pull requests, as hosts report it: comments, reviews, comments on lines, checks and statuses. One
// interface for all hosts; the state, the base and the head are in `ForgeHost.poll`. Texts are data of others.

import { z } from 'zod'
import { plainText, shorten } from '../../lib/plain-text.ts'

export const entryKinds = ['comment', 'review', 'review_comment', 'check', 'status'] as const
export type EntryKind = (typeof entryKinds)[number]

export type Author = {
  /** The forge's id of the account. */
  readonly id: string
  readonly login: string
  readonly isBot: boolean
}

export type Entry = {
  readonly kind: EntryKind
  /** Unique in the repository within its kind. */
  readonly forgeId: string
  /** The pull request. */
  readonly number: number
  /** Null: the forge does not say, or the account is gone. */
  readonly author: Author | null
  /** ISO 8601. */
  readonly at: string
  readonly text: string
  readonly path: string | null
  readonly line: number | null
  readonly link: string
  /** The result of a review, a check or a status, in lower case. */
  readonly state: string | null
  /** The id of the review that a comment on a line was sent with, if the host sends them together. */
  readonly review?: string | undefined
  /** `number` is that of an issue. */
  readonly isIssue?: true
  /** The part of the change that a comment on a line is about. Only in `readReview`. */
  readonly hunk?: string
}

export type EntryKey = Pick<Entry, 'kind' | 'forgeId'>

/** Where a list was left: the last `since` and the ETag of the same request, each if the list has one. */
export type Mark = { readonly since?: string | undefined; readonly etag?: string | undefined }
/** By list. Opaque to all but the host that made them. */
export type Marks = Readonly<Record<string, Mark>>

export const marksSchema = z.record(z.string(), z.object({ since: z.string().optional(), etag: z.string().optional() }))

export type Read = {
  readonly entries: readonly Entry[]
  /** The comments that the host shows as deleted. Missing: it does not show them, and only `readAll` finds out. */
  readonly deleted?: readonly EntryKey[] | undefined
  readonly marks: Marks
  /** Kinds that the credential may not read. */
  readonly off: readonly EntryKind[]
}

/** Methods throw as those of `ForgeHost` do. Nothing here repeats a request. */
export interface ActivityReader {
  /** The kinds that `Polled.comments` counts. */
  readonly counted: readonly EntryKind[]
  /** Reads the changes in lists of the whole repository since the marks. Undefined: the host has no such list that helps. */
  readonly ofRepository: ((marks: Marks, signal: AbortSignal) => Promise<Read>) | undefined
  /** Reads the changes in the lists of one pull request since the marks. */
  ofPull(pull: { readonly number: number; readonly head: string }, marks: Marks, signal: AbortSignal): Promise<Read>
  /** All comments and comments on lines: what is not among them was deleted. Undefined: there are too many to read. */
  readAll(number: number, signal: AbortSignal): Promise<readonly Entry[] | undefined>
  /** Reads the comments on lines of one review. Missing: the host sends each comment by itself. */
  readonly readReview?: (number: number, id: string, signal: AbortSignal) => Promise<readonly Entry[]>
  /** Reads the new comments on the issues of the repository since the marks, if `ofRepository` leaves them out. */
  readonly ofIssues?: (marks: Marks, signal: AbortSignal) => Promise<Read>
  /** May the account push to the repository? Null: the credential may not ask. */
  mayWrite(author: Author, signal: AbortSignal): Promise<boolean | null>
  /** Why `mayWrite` often returns null on this host: a sentence for the author, who gets it as the answer. */
  readonly doubt?: string
}

const mostHunk = 4_000

/** The end of a hunk, which the comment is about, in whole lines. */
export function hunkOf(given: string | null | undefined): { readonly hunk?: string } {
  const text = plainText((given ?? '').replaceAll('\r\n', '\n'))
  if (text.trim() === '') return {}
  const end = text.slice(-mostHunk)
  return { hunk: end.length < text.length ? end.slice(end.indexOf('\n') + 1) : end }
}

/** As many as are kept of a pull request. */
export const mostEntries = 5_000
const mostCharacters = 65_536

/** A text as it is kept. GitHub accepts 65,536 characters, others more. */
export function entryText(text: string | null | undefined): string {
  return shorten(plainText(text ?? ''), mostCharacters)
}

/** Clocks and replicas of a forge differ: a list is read again from two minutes before the last change in it. */
export function overlapping(at: string): string {
  return new Date(Math.max(0, Date.parse(at) - overlapMs)).toISOString().replace(/\.\d+/, '')
}

const overlapMs = 120_000

export function latest(times: readonly string[]): string | undefined {
  return times.reduce<string | undefined>((last, time) => (last === undefined || time > last ? time : last), undefined)
}
