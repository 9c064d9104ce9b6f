// The notifications that a person gets by mail: which types, and of which projects.

import { invalidInput } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import type { NotificationType } from '../notification.ts'

export type MailSettings = {
  /** Empty: no mail. */
  readonly events: readonly NotificationType[]
  /** null: all projects. */
  readonly projectIds: readonly string[] | null
}

export type MailFailure = { readonly at: string; readonly error: string }

/** A person who never chose gets no mail. */
export async function readMailSettings(db: Db, personId: string): Promise<MailSettings> {
  const query = db.selectFrom('mail_settings').selectAll().where('person_id', '=', personId)
  const row = await query.executeTakeFirst()
  const projectIds = row?.project_ids ?? null
  return {
    events: (row?.events ?? []) as NotificationType[],
    projectIds: projectIds === null ? null : await existing(db, projectIds),
  }
}

async function existing(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const known = await db.selectFrom('projects').select('id').where('id', 'in', ids).orderBy('id').execute()
  return known.map(({ id }) => id)
}

/** Throws `invalid_input` for a project that does not exist. */
export async function saveMailSettings(db: Db, personId: string, { events, projectIds }: MailSettings): Promise<void> {
  const ids = projectIds === null ? null : [...new Set(projectIds)]
  if (ids !== null && (await existing(db, ids)).length < ids.length) {
    throw invalidInput('#/projectIds', 'names a project that does not exist')
  }
  const set = { events: [...new Set(events)], project_ids: ids, updated_at: new Date() }
  await db
    .insertInto('mail_settings')
    .values({ person_id: personId, ...set })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(set))
    .execute()
}

/** Why the newest mail to the person has not arrived so far; null if it has, or if there was no mail. */
export async function readMailFailure(db: Db, personId: string): Promise<MailFailure | null> {
  const newest = await db
    .selectFrom('deliveries')
    .select(['state', 'error', 'attempted_at'])
    .where('person_id', '=', personId)
    .where('attempted_at', 'is not', null)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest?.attempted_at || newest.state === 'delivered' || newest.error === null) return null
  return { at: newest.attempted_at.toISOString(), error: newest.error }
}

/** Explains why this service sends no mail; null if it does. */
export function mailProblem({ smtpUrl, from }: { readonly smtpUrl: unknown; readonly from: unknown }): string | null {
  const missing = [
    ...(smtpUrl === undefined ? ['DOCENT_SMTP_URL'] : []),
    ...(from === undefined ? ['DOCENT_MAIL_FROM'] : []),
  ]
  if (missing.length === 0) return null
  return `This service sends no mail: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set.`
}
