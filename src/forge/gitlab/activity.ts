// Reads what happens on the merge requests of one project on GitLab. All of it is in the notes of a merge request, also
// who approved it, which GitLab writes itself; the jobs of pipelines are statuses of the head. No list of the project has
// them, and GitLab counts each request, also one that it finds unchanged.

import { z } from 'zod'
import {
  type ActivityReader,
  type Author,
  type Entry,
  entryText,
  latest,
  type Mark,
  type Marks,
  mostEntries,
  overlapping,
  type Read,
} from '../activity/activity.ts'
import { isStatus, parseReply } from '../parse.ts'
import { body, instant, text } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'

/** A note may have a million characters. */
const pageSize = 20
const mostPages = 10

export const authorSchema = z.object({ id: z.int(), username: text(300) }).nullish()
const path = text(4_096).nullish()
const line = z.int().nullish()
const notesSchema = z.array(
  z.object({
    id: z.int().positive(),
    body: body.nullish(),
    author: authorSchema,
    created_at: instant,
    updated_at: instant,
    system: z.boolean(),
    /** Only members of the project may see it. */
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
    position: z.object({ new_path: path, old_path: path, new_line: line, old_line: line }).nullish(),
  }),
)
const statusesSchema = z.array(
  z.object({
    id: z.int().positive(),
    status: text(50),
    name: text(1_000),
    description: text(10_000).nullish(),
    created_at: instant,
    author: authorSchema,
  }),
)

type Note = z.infer<typeof notesSchema>[number]

export function createGitLabActivity(gitlab: GitLab): ActivityReader {
  return {
    counted: ['comment', 'review_comment'],
    ofRepository: undefined,
    ofPull: async ({ number, head }, marks, signal) => {
      const notes = await readNotes(gitlab, number, marks['notes'], signal)
      const statuses = await readStatuses(gitlab, { number, head }, marks, signal)
      return {
        entries: [...notes.entries, ...statuses.entries],
        marks: { notes: notes.mark, ...statuses.marks },
        off: statuses.off,
      }
    },
    readAll: (number, signal) => readAll(gitlab, number, signal),
    mayWrite: (given, signal) => mayWrite(gitlab, given, signal),
  }
}

/** The last changed first, back to two minutes before what the last look saw. */
async function readNotes(gitlab: GitLab, number: number, mark: Mark | undefined, signal: AbortSignal) {
  const found: Note[] = []
  let etag: string | undefined
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { order_by: 'updated_at', sort: 'desc', per_page: pageSize, page }
    const reply = await ask(
      gitlab,
      `merge_requests/${number}/notes`,
      { query, etag: page === 1 ? mark?.etag : undefined },
      signal,
    )
    if (isStatus(reply, 304)) return { entries: [], mark: mark ?? {} }
    const rows = parseReply(reply, notesSchema, gitlab.asked.read)
    if (page === 1 && reply.kind === 'response') etag = reply.etag ?? undefined
    found.push(...rows)
    const oldest = rows.at(-1)?.updated_at
    if (rows.length < pageSize || oldest === undefined || oldest < (mark?.since ?? '')) break
  }
  const last = latest(found.map((note) => note.updated_at))
  const since = last === undefined ? mark?.since : toMillis(overlapping(last))
  return { entries: found.flatMap((note) => fromNote(gitlab, number, note)), mark: { since, etag } }
}

function toMillis(at: string): string {
  return new Date(at).toISOString()
}

async function readStatuses(
  gitlab: GitLab,
  { number, head }: { readonly number: number; readonly head: string },
  marks: Marks,
  signal: AbortSignal,
): Promise<Read> {
  if (head === '') return { entries: [], marks: {}, off: [] }
  const before = marks['statuses']
  const etag = before?.since === head ? before.etag : undefined
  const place = `repository/commits/${head}/statuses`
  const reply = await ask(gitlab, place, { query: { per_page: pageSize }, etag }, signal)
  if (isStatus(reply, 304)) return { entries: [], marks: { statuses: before ?? {} }, off: [] }
  if (isStatus(reply, 403, 404)) return { entries: [], marks: {}, off: ['status'] }
  const rows = parseReply(reply, statusesSchema, gitlab.asked.read)
  const entries = rows.map((row): Entry => ({
    kind: 'status',
    forgeId: String(row.id),
    number,
    author: authorOf(row.author),
    at: row.created_at,
    text: entryText(row.description ? `${row.name}: ${row.description}` : row.name),
    path: null,
    line: null,
    link: `${linkOf(gitlab, number)}/pipelines`,
    state: row.status,
  }))
  const mark = { since: head, etag: reply.kind === 'response' ? (reply.etag ?? undefined) : undefined }
  return { entries, marks: { statuses: mark }, off: [] }
}

async function readAll(gitlab: GitLab, number: number, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
  const found: Entry[] = []
  for (let page = 1; page <= mostEntries / pageSize; page += 1) {
    const query = { order_by: 'created_at', sort: 'asc', per_page: pageSize, page }
    const reply = await ask(gitlab, `merge_requests/${number}/notes`, { query }, signal)
    const rows = parseReply(reply, notesSchema, gitlab.asked.read)
    found.push(...rows.flatMap((note) => fromNote(gitlab, number, note)))
    if (rows.length < pageSize) return found
  }
  return undefined
}

/** GitLab's own notes about the opinion of a reviewer. The rest of its notes is in the merge request. */
const opinions: readonly (readonly [words: RegExp, state: string])[] = [
  [/^approved this merge request/i, 'approved'],
  [/^unapproved this merge request/i, 'dismissed'],
  [/^requested changes/i, 'changes_requested'],
]

function fromNote(gitlab: GitLab, number: number, note: Note): readonly Entry[] {
  if (note.internal === true || note.confidential === true) return []
  const state = note.system ? opinions.find(([words]) => words.test(note.body ?? ''))?.[1] : undefined
  if (note.system && state === undefined) return []
  const { position } = note
  const where = position?.new_path ?? position?.old_path ?? null
  return [
    {
      kind: state === undefined ? (where === null ? 'comment' : 'review_comment') : 'review',
      forgeId: String(note.id),
      number,
      author: authorOf(note.author),
      at: note.created_at,
      text: state === undefined ? entryText(note.body) : '',
      path: where === null ? null : entryText(where),
      line: position?.new_line ?? position?.old_line ?? null,
      link: `${linkOf(gitlab, number)}#note_${note.id}`,
      state: state ?? null,
    },
  ]
}

/** The accounts of tokens of projects and groups. */
const botName = /^(?:project|group)_\d+_bot/

export function authorOf(given: z.infer<typeof authorSchema>): Author | null {
  return given ? { id: String(given.id), login: entryText(given.username), isBot: botName.test(given.username) } : null
}

function linkOf({ webUrl, path: project }: GitLab, number: number): string {
  return `${webUrl}/${project}/-/merge_requests/${number}`
}

const developer = 30
const memberSchema = z.object({ access_level: z.int() })

async function mayWrite(gitlab: GitLab, { id }: Author, signal: AbortSignal): Promise<boolean | null> {
  const reply = await ask(gitlab, `members/all/${encodeURIComponent(id)}`, {}, signal)
  if (isStatus(reply, 404)) return false
  if (isStatus(reply, 403)) return null
  return parseReply(reply, memberSchema, gitlab.asked.read).access_level >= developer
}

type Asking = { readonly query?: Readonly<Record<string, string | number>>; readonly etag?: string | undefined }

function ask({ client, project }: GitLab, place: string, { query = {}, etag }: Asking, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${project}/${place}`, query, etag: etag ?? null }, signal)
}
