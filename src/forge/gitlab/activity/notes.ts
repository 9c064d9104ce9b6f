// The notes of one merge request or issue on GitLab. Internal ones, which only members of the project may see, are left out.

import { z } from 'zod'
import { type Author, entryText, latest, type Mark, overlapping } from '../../activity/activity.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { body, instant, text } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'

/** A note may have a million characters. */
export const pageSize = 20
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
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
    position: z.object({ new_path: path, old_path: path, new_line: line, old_line: line }).nullish(),
  }),
)

export type Note = z.infer<typeof notesSchema>[number]

/** `place`: such as `merge_requests/7`. The last changed first, back to two minutes before what the last look saw. */
export async function readChanges(
  gitlab: GitLab,
  { place, mark }: { readonly place: string; readonly mark: Mark | undefined },
  signal: AbortSignal,
): Promise<{ readonly notes: readonly Note[]; readonly mark: Mark }> {
  const found: Note[] = []
  let etag: string | undefined
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { order_by: 'updated_at', sort: 'desc', per_page: pageSize, page }
    const reply = await ask(gitlab, `${place}/notes`, { query, etag: page === 1 ? mark?.etag : undefined }, signal)
    if (isStatus(reply, 304)) return { notes: [], mark: mark ?? {} }
    const rows = parseReply(reply, notesSchema, gitlab.asked.read)
    if (page === 1 && reply.kind === 'response') etag = reply.etag ?? undefined
    found.push(...rows)
    const oldest = rows.at(-1)?.updated_at
    if (rows.length < pageSize || oldest === undefined || oldest < (mark?.since ?? '')) break
  }
  const last = latest(found.map((note) => note.updated_at))
  const since = last === undefined ? mark?.since : toMillis(overlapping(last))
  return { notes: found.filter(isPublic), mark: { since, etag } }
}

export function toMillis(at: string): string {
  return new Date(at).toISOString()
}

/** All of them, the oldest first. Undefined: there are more than `most`. */
export async function readAll(
  gitlab: GitLab,
  { place, most }: { readonly place: string; readonly most: number },
  signal: AbortSignal,
): Promise<readonly Note[] | undefined> {
  const found: Note[] = []
  for (let page = 1; page <= most / pageSize; page += 1) {
    const query = { order_by: 'created_at', sort: 'asc', per_page: pageSize, page }
    const reply = await ask(gitlab, `${place}/notes`, { query }, signal)
    const rows = parseReply(reply, notesSchema, gitlab.asked.read)
    found.push(...rows.filter(isPublic))
    if (rows.length < pageSize) return found
  }
  return undefined
}

function isPublic({ internal, confidential }: Note): boolean {
  return internal !== true && confidential !== true
}

/** The accounts of tokens of projects and groups. */
const botName = /^(?:project|group)_\d+_bot/

export function authorOf(given: z.infer<typeof authorSchema>): Author | null {
  return given ? { id: String(given.id), login: entryText(given.username), isBot: botName.test(given.username) } : null
}

export function pageOf({ webUrl, path: project }: GitLab, place: string): string {
  return `${webUrl}/${project}/-/${place}`
}

type Asking = { readonly query?: Readonly<Record<string, string | number>>; readonly etag?: string | undefined }

export function ask({ client, project }: GitLab, place: string, { query = {}, etag }: Asking, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${project}/${place}`, query, etag: etag ?? null }, signal)
}
