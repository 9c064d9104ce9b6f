// Makes requests take effect once. The record of a request is written in the same transaction as its work, so a crash
// leaves both or neither.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import type { Db, Trx } from '../postgres/types.ts'

/** `principal` is the caller; callers do not share keys. `hash` covers all parts of the request that matter. */
export type IdempotentRequest = { readonly principal: string; readonly key: string; readonly hash: string }

export type Once<T> = { readonly value: T; readonly replayed: boolean }

export const idempotencyHours = 24

/**
 * Runs `work` in a transaction, or returns the stored value of the earlier request. `value` must survive JSON. Throws
 * `idempotency_key_reused` for a different request under the same key, and `request_in_flight` while the first one
 * runs.
 */
export function once<T>(
  db: Db,
  request: IdempotentRequest | undefined,
  work: (trx: Trx) => Promise<T>,
): Promise<Once<T>> {
  return db.transaction().execute(async (trx) => {
    if (!request) return { value: await work(trx), replayed: false }
    // A record never changes: only a request without one takes the lock.
    const stored = (await find(trx, request)) ?? (await findLocked(trx, request))
    if (stored) return { value: toValue(stored, request) as T, replayed: true }
    const value = await work(trx)
    const record = { request_hash: request.hash, answer: JSON.stringify(value), created_at: new Date() }
    await trx
      .insertInto('idempotency')
      .values({ principal: request.principal, key: request.key, ...record })
      .execute()
    return { value, replayed: false }
  })
}

/** Deletes records that are older than 24 hours at `now`. */
export async function sweepIdempotency(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - idempotencyHours * 3_600_000)
  await db.deleteFrom('idempotency').where('created_at', '<', before).execute()
}

/** Locks the key until the transaction ends. A lock that another replay holds may hide a record that is there by now. */
async function findLocked(trx: Trx, request: IdempotentRequest): Promise<Stored | undefined> {
  const name = `idempotency:${request.principal}:${request.key}`
  const { rows } = await sql<{ mine: boolean }>`/* idempotency.lock */
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`.execute(trx)
  const stored = await find(trx, request)
  if (stored || rows[0]?.mine) return stored
  throw new Failure('request_in_flight', 'A request with this Idempotency-Key is still at work.', { retryAfter: 1 })
}

type Stored = { readonly request_hash: string; readonly answer: string }

function toValue({ request_hash: hash, answer }: Stored, request: IdempotentRequest): unknown {
  if (hash === request.hash) return JSON.parse(answer)
  throw new Failure('idempotency_key_reused', 'This Idempotency-Key came before with a different request.')
}

function find(trx: Trx, request: IdempotentRequest): Promise<Stored | undefined> {
  return trx
    .selectFrom('idempotency')
    .select(['request_hash', 'answer'])
    .where('principal', '=', request.principal)
    .where('key', '=', request.key)
    .executeTakeFirst()
}
