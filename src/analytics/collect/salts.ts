// Creates, reads and destroys salts: random secrets that visitor ids are derived with, one for each visitor window of a
// project. No other file reads or creates them. A salt stays in the table until 48 hours after its window, in memory
// for a minute after it was read, and appears in no log and no response. Knows nothing about addresses.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import type { VisitorWindow } from './window.ts'

/** Page views that arrive this long after their window still get its salt. */
export const graceMs = 48 * 3_600_000

/** The key of visitor ids that callers send: a row of its own, which lasts as long as the project. */
export const visitorIdWindow: VisitorWindow = { name: 'visitor-id', start: -Infinity, end: null }

export type Salt = {
  /** A key object: printing it shows nothing, and it is faster than its bytes. */
  readonly key: KeyObject
  /**
   * The salt window that page views carry: visitors of different values are never the same. Empty: a visitor may
   * return at any time.
   */
  readonly rowWindow: string
  /** False if it exists for one request only. */
  readonly isKept: boolean
}

export type SaltRequest = {
  readonly projectId: string
  readonly window: VisitorWindow
  /** Undefined: a live page view. */
  readonly importId: string | undefined
}

export interface Salts {
  /**
   * Returns the salt of a window: the same in every process, and the same object while it is in memory. For a window
   * that ended more than 48 hours ago, returns the import's own salt or, without an import, one that is never used again.
   * Throws `not_found` for an unknown project, and for an unknown or finished import.
   */
  find(question: SaltRequest): Promise<Salt>
}

/** Another process may destroy a salt, so it is read again after this time, and after the clock was set back. */
const trustedMs = 60_000
/** Unused salts leave memory after this time. */
const idleMs = 15 * 60_000

type Stored = { readonly salt: Salt; readonly destroyAt: number }
type Cached = { readonly salt: Salt; readonly destroyAt: number; readonly readAt: number }

/** Calls `forgotten` when a salt leaves memory. Everything derived from it must leave memory then, too. */
export function createSalts({ db, clock }: { db: Db; clock: Clock }, forgotten: (salt: Salt) => void): Salts {
  const cache = new Map<string, Cached>()
  const loading = new Map<string, Promise<Salt>>()
  const drop = (key: string, cached: Cached) => {
    cache.delete(key)
    forgotten(cached.salt)
  }
  const load = async (key: string, question: SaltRequest, now: number): Promise<Salt> => {
    const stored = await findStored(db, question, now)
    for (const [one, cached] of cache) if (isOver(cached, now)) drop(one, cached)
    const before = cache.get(key)
    const isSame = before && stored && before.salt.key.equals(stored.salt.key)
    if (before && !isSame) drop(key, before)
    if (!stored) return passing(question.window)
    const salt = isSame ? before.salt : stored.salt
    cache.set(key, { salt, destroyAt: stored.destroyAt, readAt: now })
    return salt
  }
  return {
    find: async ({ projectId, window, importId }) => {
      const now = clock.now().getTime()
      const isOpen = window.end === null || now < window.end + graceMs
      if (!isOpen && importId === undefined) return passing(window)
      const question = { projectId, window, importId: isOpen ? undefined : importId }
      const key = `${projectId} ${window.name} ${question.importId ?? ''}`
      const cached = cache.get(key)
      if (cached && now < cached.destroyAt && Math.abs(now - cached.readAt) < trustedMs) return cached.salt
      const begun = loading.get(key) ?? load(key, question, now).finally(() => loading.delete(key))
      loading.set(key, begun)
      return begun
    },
  }
}

function toSalt(bytes: Uint8Array, rowWindow: string): Salt {
  return { key: createSecretKey(bytes), rowWindow, isKept: true }
}

/** Creates a salt that is never stored and never returned again. */
function passing(window: VisitorWindow): Salt {
  return { key: createSecretKey(randomBytes(32)), rowWindow: rowWindowOf(window), isKept: false }
}

/** The salt window of page views in a window: its name, or empty for one that never ends. */
export function rowWindowOf({ name, end }: Pick<VisitorWindow, 'name' | 'end'>): string {
  return end === null ? '' : name
}

function isOver({ destroyAt, readAt }: Cached, now: number): boolean {
  return now >= destroyAt || Math.abs(now - readAt) >= idleMs
}

/**
 * Creates the salt if it does not exist. Returns undefined when it is due for destruction (a change of the zone moved
 * its window's end).
 */
async function findStored(db: Db, question: SaltRequest, now: number): Promise<Stored | undefined> {
  const found = (await readSalt(db, question)) ?? (await makeSalt(db, question))
  const destroyAt = found.destroy_at?.getTime() ?? Infinity
  return now < destroyAt ? { salt: toSalt(found.salt, found.row_window), destroyAt } : undefined
}

async function readSalt(db: Db, { projectId, window, importId = '' }: SaltRequest) {
  return db
    .selectFrom('salts')
    .select(['salt', 'row_window', 'destroy_at'])
    .where('project_id', '=', projectId)
    .where('window', '=', window.name)
    .where('import_id', '=', importId)
    .executeTakeFirst()
}

/** Several processes may make it at once; the first row wins. */
async function makeSalt(db: Db, question: SaltRequest) {
  const { projectId, window, importId } = question
  const bytes = randomBytes(32)
  const destroyAt = window.end === null || importId !== undefined ? null : new Date(window.end + graceMs)
  // The lock keeps the project, or the unfinished import, until the row is inserted, so no salt outlives its owner.
  const owner =
    importId === undefined
      ? sql`select id as project_id, '' as import_id from projects where id = ${projectId} for key share`
      : sql`select project_id, group_id as import_id from imports
          where group_id = ${importId} and project_id = ${projectId} and finished_at is null limit 1 for share`
  await sql`/* salts.make */ with owner as (${owner})
    insert into salts (project_id, import_id, "window", salt, destroy_at, row_window)
    select project_id, import_id, ${window.name}, ${bytes}, ${destroyAt},
      case when now() >= (select since from salt_naming) then ${rowWindowOf(window)} else '' end from owner
    on conflict do nothing`.execute(db)
  const made = await readSalt(db, question)
  if (made) return made
  const what = importId === undefined ? 'project' : 'import that is not finished'
  throw new Failure('not_found', `There is no such ${what}.`)
}

/** Reads all salts that still exist, of live windows and of imports. */
export async function readSalts(db: Db, projectId: string): Promise<ReadonlyMap<string, Salt>> {
  const columns = ['window', 'import_id', 'salt', 'row_window'] as const
  const rows = await db.selectFrom('salts').select(columns).where('project_id', '=', projectId).execute()
  const named = rows.map(
    (row) => [`${row.window} ${row.import_id}`.trimEnd(), toSalt(row.salt, row.row_window)] as const,
  )
  return new Map(named)
}

/** Destroys the salts that are due. Returns their number. */
export async function destroyDueSalts(db: Db, now: Date): Promise<number> {
  const destroyed = await db.deleteFrom('salts').where('destroy_at', '<=', now).executeTakeFirst()
  return Number(destroyed.numDeletedRows)
}

/**
 * Rewrites the table, so that its files no longer contain the bytes of deleted salts. They may remain in the write-ahead
 * log until the server reuses it, in blocks that the disk has not overwritten, and in backups and replicas.
 */
export async function cleanSalts(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The statement needs an exclusive lock. It gives up during a long dump, so that page views don't have to wait.
    await sql`set lock_timeout = '1s'`.execute(connection)
    try {
      await sql`/* salts.clean */ vacuum full salts`.execute(connection)
    } finally {
      await sql`reset lock_timeout`.execute(connection)
    }
  })
}
