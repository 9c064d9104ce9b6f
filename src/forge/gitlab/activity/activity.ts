// Reads what happens on the merge requests of one project on GitLab. All of it is in the notes of a merge request, also
// who approved it, which GitLab writes itself; the jobs of pipelines are statuses of the head. No list of the project has
// them, and GitLab counts each request, also one that it finds unchanged.

import { z } from 'zod'
import {
  type ActivityReader,
  type Author,
  type Entry,
  entryText,
  type Marks,
  mostEntries,
  type Read,
} from '../../activity/activity.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { instant, text } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'
import { readIssues } from './issues.ts'
import { ask, authorOf, authorSchema, type Note, pageOf, pageSize, readAll, readChanges } from './notes.ts'

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

export function createGitLabActivity(gitlab: GitLab): ActivityReader {
  return {
    counted: ['comment', 'review_comment'],
    ofRepository: undefined,
    ofPull: async ({ number, head }, marks, signal) => {
      const { notes, mark } = await readChanges(gitlab, { place: placeOf(number), mark: marks['notes'] }, signal)
      const statuses = await readStatuses(gitlab, { number, head }, marks, signal)
      return {
        entries: [...notes.flatMap((note) => fromNote(gitlab, number, note)), ...statuses.entries],
        marks: { notes: mark, ...statuses.marks },
        off: statuses.off,
      }
    },
    readAll: async (number, signal) => {
      const notes = await readAll(gitlab, { place: placeOf(number), most: mostEntries }, signal)
      return notes?.flatMap((note) => fromNote(gitlab, number, note))
    },
    ofIssues: (marks, signal) => readIssues(gitlab, marks, signal),
    mayWrite: (given, signal) => mayWrite(gitlab, given, signal),
  }
}

function placeOf(number: number): string {
  return `merge_requests/${number}`
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
    link: `${pageOf(gitlab, placeOf(number))}/pipelines`,
    state: row.status,
  }))
  const mark = { since: head, etag: reply.kind === 'response' ? (reply.etag ?? undefined) : undefined }
  return { entries, marks: { statuses: mark }, off: [] }
}

/** GitLab's own notes about the opinion of a reviewer. The rest of its notes is in the merge request. */
const opinions: readonly (readonly [words: RegExp, state: string])[] = [
  [/^approved this merge request/i, 'approved'],
  [/^unapproved this merge request/i, 'dismissed'],
  [/^requested changes/i, 'changes_requested'],
]

function fromNote(gitlab: GitLab, number: number, note: Note): readonly Entry[] {
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
      link: `${pageOf(gitlab, placeOf(number))}#note_${note.id}`,
      state: state ?? null,
    },
  ]
}

const developer = 30
const memberSchema = z.object({ access_level: z.int() })

async function mayWrite(gitlab: GitLab, { id }: Author, signal: AbortSignal): Promise<boolean | null> {
  const reply = await ask(gitlab, `members/all/${encodeURIComponent(id)}`, {}, signal)
  if (isStatus(reply, 404)) return false
  if (isStatus(reply, 403)) return null
  return parseReply(reply, memberSchema, gitlab.asked.read).access_level >= developer
}
