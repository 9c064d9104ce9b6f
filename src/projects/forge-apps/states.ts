// The states of the flow that creates a GitHub App: the person who starts it gets an address with a random state, and only
// a caller with that state can finish it. A state is stored as its SHA-256, and works once within an hour.

import { createHash } from 'node:crypto'
import { Failure } from '../../lib/failure.ts'
import { base62, createId, randomString } from '../../lib/id.ts'
import type { Db } from '../../postgres/types.ts'

export type WantedApp = {
  /** The id that it gets here. */
  readonly id: string
  readonly webUrl: string
  /** Null: the App belongs to the person who creates it. */
  readonly organization: string | null
  readonly name: string
}

const lifetimeMs = 3_600_000

/** Returns the state, which is not stored, and the id that the App will get. */
export async function addState(db: Db, wanted: Omit<WantedApp, 'id'>, now: Date) {
  const state = randomString(base62, 40)
  const id = createId('app')
  const row = { app_id: id, web_url: wanted.webUrl, organization: wanted.organization, name: wanted.name }
  await db.deleteFrom('forge_app_states').where('created_at', '<', oldest(now)).execute()
  await db
    .insertInto('forge_app_states')
    .values({ digest: digestOf(state), ...row, created_at: now, used_at: null })
    .execute()
  return { state, id, expiresAt: new Date(now.getTime() + lifetimeMs) }
}

/** Returns the data of a state without using it up. Throws `not_found` if the state is invalid. */
export async function readState(db: Db, state: string, now: Date): Promise<WantedApp> {
  const row = await db
    .selectFrom('forge_app_states')
    .selectAll()
    .where('digest', '=', digestOf(state))
    .where('used_at', 'is', null)
    .where('created_at', '>=', oldest(now))
    .executeTakeFirst()
  return toWanted(row)
}

/** Like `readState`, but uses the state up. */
export async function takeState(db: Db, state: string, now: Date): Promise<WantedApp> {
  const row = await db
    .updateTable('forge_app_states')
    .set({ used_at: now })
    .where('digest', '=', digestOf(state))
    .where('used_at', 'is', null)
    .where('created_at', '>=', oldest(now))
    .returningAll()
    .executeTakeFirst()
  return toWanted(row)
}

type StateRow = { app_id: string; web_url: string; organization: string | null; name: string }

function toWanted(row: StateRow | undefined): WantedApp {
  if (row) return { id: row.app_id, webUrl: row.web_url, organization: row.organization, name: row.name }
  const words = 'This address was used already, or is older than an hour.'
  throw new Failure('not_found', `${words} Begin again with \`docent github create-app\`.`)
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - lifetimeMs)
}

function digestOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}
