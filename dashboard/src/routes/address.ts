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

export type BrokenPage = { readonly broken: string; readonly dateFrom: string; readonly dateTo: string }

/** The page without which a reader was left, and the days when that was. */
export function readBrokenPage({ broken, dateFrom, dateTo }: Readonly<Record<string, unknown>>): Partial<BrokenPage> {
  const isWhole = typeof broken === 'string' && isDay(dateFrom) && isDay(dateTo)
  return isWhole ? { broken, dateFrom, dateTo } : {}
}

function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)
}

/** Unknown ones are left out, and a range without a source. */
export function readLedgerFilter({ source, state, ...range }: Readonly<Record<string, unknown>>): LedgerFilter {
  const known = ledgerStates.find((one) => one === state)
  const shown = known === undefined ? {} : { state: known }
  return typeof source === 'string' ? { source, ...shown, ...readRange(range) } : shown
}

function readRange({ from, to }: Readonly<Record<string, unknown>>): Pick<LedgerFilter, 'from' | 'to'> {
  if (typeof from !== 'string') return {}
  return typeof to === 'string' ? { from, to } : { from }
}
