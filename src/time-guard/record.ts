// Reads and writes the single row that stores trusted time.

import type { TrustedTimeRow } from '../postgres/schema.ts'
import type { Trx } from '../postgres/types.ts'
import type { TimeRecord } from './trusted-time.ts'

/** Reads the row and locks it until the transaction ends. Returns undefined when nothing is stored yet. */
export async function lockRecord(trx: Trx): Promise<TimeRecord | undefined> {
  return toRecord(await trx.selectFrom('trusted_time').selectAll().forUpdate().executeTakeFirst())
}

export async function storeRecord(trx: Trx, { trustedAt, doubt }: TimeRecord): Promise<void> {
  const row = {
    trusted_at: new Date(trustedAt),
    running_ms: Math.round(doubt?.runningMs ?? 0),
    seen_at: doubt ? new Date(doubt.seenAt) : null,
  }
  await trx
    .insertInto('trusted_time')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
}

export function toRecord(row: TrustedTimeRow | undefined): TimeRecord | undefined {
  if (!row) return undefined
  const { trusted_at: trustedAt, running_ms: runningMs, seen_at: seenAt } = row
  const doubt = seenAt ? { doubt: { runningMs, seenAt: seenAt.getTime() } } : {}
  return { trustedAt: trustedAt.getTime(), ...doubt }
}
