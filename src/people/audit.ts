// The record of who changed what: the names of the fields that a request had, and never their values. A change of the API
// is written down before it is made, and finished after it, so that no crash leaves a change without its entry:
//
//   begun ──made──► finished            begun ──refused──► deleted            begun ──crash──► stays unfinished

import { sql } from 'kysely'
import type { AuditRow } from '../postgres/schema/people.ts'
import type { Db } from '../postgres/types.ts'

export type Actor = {
  readonly kind: AuditRow['actor_kind']
  readonly id: string
  readonly name: string
}

/** Where a request came from. Undefined: the socket in the data directory. */
export type Origin = { readonly address: string | undefined }

export type BegunChange = Origin & {
  readonly actor: Actor
  /** The operation, as in the OpenAPI document. */
  readonly action: string
}

/** The rest of a change, known when it is made. */
export type MadeChange = {
  readonly projectId: string | undefined
  /** The id of what was changed. */
  readonly subject: string | undefined
  readonly fields: readonly string[]
}

type RecordedChange = BegunChange & { readonly subject: string; readonly fields?: readonly string[] }

export type AuditEntry = {
  readonly happenedAt: string
  readonly actor: Actor
  readonly address: string | null
  readonly action: string
  readonly projectId: string | null
  readonly subject: string | null
  readonly fields: readonly string[]
  readonly finished: boolean
}

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly last: number | undefined }

type AuditQuery = {
  readonly projectId: string | undefined
  /** The id of a person or key. */
  readonly actorId: string | undefined
  /** Entries before this ordinal. */
  readonly before: number | undefined
  readonly limit: number
}

/** Returns the ordinal of the entry, for `finishChange` or `dropChange`. */
export async function beginChange(db: Db, change: BegunChange): Promise<number> {
  const { ordinal } = await db.insertInto('audit').values(toRow(change)).returning('ordinal').executeTakeFirstOrThrow()
  return ordinal
}

export async function finishChange(db: Db, ordinal: number, { projectId, subject, fields }: MadeChange): Promise<void> {
  await db
    .updateTable('audit')
    .set({
      finished_at: sql`now()`,
      project_id: projectId ?? null,
      subject: subject ?? null,
      fields: [...fields],
    })
    .where('ordinal', '=', ordinal)
    .execute()
}

/** For a change that was refused. */
export async function dropChange(db: Db, ordinal: number): Promise<void> {
  await db.deleteFrom('audit').where('ordinal', '=', ordinal).where('finished_at', 'is', null).execute()
}

/** For a change that is made in the same transaction. */
export async function recordChange(db: Db, change: RecordedChange): Promise<void> {
  const { subject, fields = [], ...begun } = change
  await db
    .insertInto('audit')
    .values({ ...toRow(begun), subject, fields: [...fields], finished_at: new Date() })
    .execute()
}

function toRow({ actor, address, action }: BegunChange) {
  return {
    happened_at: new Date(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    address: address ?? null,
    action,
    fields: [],
  }
}

/** The newest first. `last` is the ordinal of the last entry when there are more. */
export async function listChanges(db: Db, { projectId, actorId, before, limit }: AuditQuery): Promise<AuditPage> {
  let query = db.selectFrom('audit').selectAll().orderBy('ordinal', 'desc')
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (before !== undefined) query = query.where('ordinal', '<', before)
  const rows = await query.limit(limit + 1).execute()
  const shown = rows.slice(0, limit)
  return { entries: shown.map(toEntry), last: rows.length > limit ? shown.at(-1)?.ordinal : undefined }
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    happenedAt: row.happened_at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    action: row.action,
    projectId: row.project_id,
    subject: row.subject,
    fields: row.fields,
    finished: row.finished_at !== null,
  }
}
