// The record of who changed what. A row is added for every change that the API makes, with the names of the fields that
// the request had and never their values. Rows are only added.

import type { AuditRow } from '../postgres/schema-people.ts'
import type { Db } from '../postgres/types.ts'

export type Actor = {
  readonly kind: AuditRow['actor_kind']
  readonly id: string
  readonly name: string
}

export type Change = {
  readonly actor: Actor
  readonly address: string | undefined
  /** The operation, as in the OpenAPI document. */
  readonly action: string
  readonly projectId: string | undefined
  /** The id of what was changed. */
  readonly subject: string | undefined
  readonly fields: readonly string[]
}

export type AuditEntry = Omit<Change, 'address' | 'projectId' | 'subject'> & {
  readonly happenedAt: string
  readonly address: string | null
  readonly projectId: string | null
  readonly subject: string | null
}

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly last: number | undefined }

type AuditQuery = {
  readonly projectId: string | undefined
  /** Entries before this ordinal. */
  readonly before: number | undefined
  readonly limit: number
}

export async function recordChange(db: Db, { actor, address, projectId, subject, action, fields }: Change) {
  await db
    .insertInto('audit')
    .values({
      happened_at: new Date(),
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      address: address ?? null,
      action,
      project_id: projectId ?? null,
      subject: subject ?? null,
      fields: [...fields],
    })
    .execute()
}

/** The newest first. `last` is the ordinal of the last entry when there are more. */
export async function listChanges(db: Db, { projectId, before, limit }: AuditQuery): Promise<AuditPage> {
  let query = db.selectFrom('audit').selectAll().orderBy('ordinal', 'desc')
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
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
  }
}
