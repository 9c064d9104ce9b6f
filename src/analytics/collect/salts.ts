// Salts: random secrets that visitor ids are derived with, one for each visitor window of a project. The only file that
// reads or makes them. A salt stays in the table until 48 hours after its window, in memory for a minute after it was
// read, and appears in no log and no response. Knows nothing about addresses.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import type { VisitorWindow } from './window.ts'

/** Late logs of a window still join its visitors for this long. */
export const graceMs = 48 * 3_600_000

/** The key of the callers' own words for visitors has a row of its own, as long as the project lives. */
export const visitorIdWindow: VisitorWindow = { name: 'visitor-id', start: -Infinity, end: null }

export type Salt = {
  /** Shows nothing of itself where it is printed, and is quicker to use than its bytes. */
  readonly key: KeyObject
  /** false: of one question alone. */
  readonly isKept: boolean
}

export type SaltQuestion = {
  readonly projectId: string
  readonly window: VisitorWindow
  /** Undefined: a page view that comes as it happens. */
  readonly importId: string | undefined
}

export interface Salts {
  /**
   * The one salt of the window, the same in every process; the same object while it is in memory. Of a window that is
   * over by 48 hours: the one of the import for it, or, without an import, one that nobody else ever has. Throws
   * `not_found` when there is no such project, or no such import that is not finished.
   */
  find(question: SaltQuestion): Promise<Salt>
}

/** Another process may have destroyed it: it is looked at again after this time, and when the clock was set back. */
const trustedMs = 60_000
/** What nobody asked for leaves the memory. */
const idleMs = 15 * 60_000

type Stored = { readonly salt: Salt; readonly destroyAt: number }
type Cached = { readonly salt: Salt; readonly destroyAt: number; readonly readAt: number }

/** `forgotten` is told when a salt leaves the memory: so must all that was made with it. */
export function createSalts({ db, clock }: { db: Db; clock: Clock }, forgotten: (salt: Salt) => void): Salts {
  const cache = new Map<string, Cached>()
  const loading = new Map<string, Promise<Salt>>()
  const drop = (key: string, cached: Cached) => {
    cache.delete(key)
    forgotten(cached.salt)
  }
  const load = async (key: string, question: SaltQuestion, now: number): Promise<Salt> => {
    const stored = await findStored(db, question, now)
    for (const [one, cached] of cache) if (isOver(cached, now)) drop(one, cached)
    const before = cache.get(key)
    const isSame = before && stored && before.salt.key.equals(stored.salt.key)
    if (before && !isSame) drop(key, before)
    if (!stored) return passing()
    const salt = isSame ? before.salt : stored.salt
    cache.set(key, { salt, destroyAt: stored.destroyAt, readAt: now })
    return salt
  }
  return {
    find: async ({ projectId, window, importId }) => {
      const now = clock.now().getTime()
      const isOpen = window.end === null || now < window.end + graceMs
      if (!isOpen && importId === undefined) return passing()
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

function toSalt(bytes: Uint8Array): Salt {
  return { key: createSecretKey(bytes), isKept: true }
}

/** Never stored and never found again. */
function passing(): Salt {
  return { key: createSecretKey(randomBytes(32)), isKept: false }
}

function isOver({ destroyAt, readAt }: Cached, now: number): boolean {
  return now >= destroyAt || Math.abs(now - readAt) >= idleMs
}

/** Made on first need. Undefined: there was one, and its time is over (a change of the zone moved its window's end). */
async function findStored(db: Db, question: SaltQuestion, now: number): Promise<Stored | undefined> {
  const found = (await readSalt(db, question)) ?? (await makeSalt(db, question))
  const destroyAt = found.destroy_at?.getTime() ?? Infinity
  return now < destroyAt ? { salt: toSalt(found.salt), destroyAt } : undefined
}

async function readSalt(db: Db, { projectId, window, importId = '' }: SaltQuestion) {
  return db
    .selectFrom('salts')
    .select(['salt', 'destroy_at'])
    .where('project_id', '=', projectId)
    .where('window', '=', window.name)
    .where('import_id', '=', importId)
    .executeTakeFirst()
}

/** Several processes may come here at once: the first one's salt is the salt. */
async function makeSalt(db: Db, question: SaltQuestion) {
  const { projectId, window, importId } = question
  const bytes = randomBytes(32)
  const destroyAt = window.end === null || importId !== undefined ? null : new Date(window.end + graceMs)
  // The lock keeps the project, or the import unfinished, until the row is there: no salt outlives its owner.
  const owner =
    importId === undefined
      ? sql`select id as project_id, '' as import_id from projects where id = ${projectId} for key share`
      : sql`select project_id, group_id as import_id from imports
          where group_id = ${importId} and project_id = ${projectId} and finished_at is null limit 1 for share`
  await sql`/* salts.make */ with owner as (${owner})
    insert into salts (project_id, import_id, "window", salt, destroy_at)
    select project_id, import_id, ${window.name}, ${bytes}, ${destroyAt} from owner
    on conflict do nothing`.execute(db)
  const made = await readSalt(db, question)
  if (made) return made
  const what = importId === undefined ? 'project' : 'import that is not finished'
  throw new Failure('not_found', `There is no such ${what}.`)
}

/** All that still exist, of live windows and of imports. */
export async function readSalts(db: Db, projectId: string): Promise<ReadonlyMap<string, Salt>> {
  const columns = ['window', 'import_id', 'salt'] as const
  const rows = await db.selectFrom('salts').select(columns).where('project_id', '=', projectId).execute()
  const named = rows.map((row) => [`${row.window} ${row.import_id}`.trimEnd(), toSalt(row.salt)] as const)
  return new Map(named)
}

/** Those whose time is over. Returns how many. */
export async function destroyDueSalts(db: Db, now: Date): Promise<number> {
  const destroyed = await db.deleteFrom('salts').where('destroy_at', '<=', now).executeTakeFirst()
  return Number(destroyed.numDeletedRows)
}

/**
 * Writes the table anew, so that the bytes of deleted salts are in no file of it. They may remain in the write-ahead
 * log until the server reuses it, in blocks that the disk has not overwritten, and in backups and replicas.
 */
export async function cleanSalts(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    // It needs the table for itself: behind a long dump it gives up rather than let page views wait.
    await sql`set lock_timeout = '1s'`.execute(connection)
    try {
      await sql`/* salts.clean */ vacuum full salts`.execute(connection)
    } finally {
      await sql`reset lock_timeout`.execute(connection)
    }
  })
}
