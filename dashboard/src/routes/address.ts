// Parts of addresses that the first paint reads: pages come later. Pure.

import type { LedgerFilter, LedgerState } from '../api/project/ledger.ts'

const ledgerStates: readonly LedgerState[] = ['documented', 'skipped', 'waiting', 'rejected', 'set_aside']

/** A line of a change: `guides/install.md:12`. */
export function readPlace(at: unknown): { at?: string } {
  return typeof at === 'string' && at !== '' ? { at } : {}
}

/** The page after the sign-in; never one of another host. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {}
}

/** Unknown ones are left out. */
export function readLedgerFilter({ source, state }: Readonly<Record<string, unknown>>): LedgerFilter {
  const known = ledgerStates.find((one) => one === state)
  return { ...(typeof source === 'string' ? { source } : {}), ...(known === undefined ? {} : { state: known }) }
}
