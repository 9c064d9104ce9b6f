// The ledger in words. Pure.

import type { Ledger, LedgerEntry, LedgerState } from '../../api/project/ledger.ts'
import type { Tone } from '../../ui/badge.tsx'

export const states: Readonly<Record<LedgerState, { readonly label: string; readonly tone: Tone }>> = {
  documented: { label: 'Documented', tone: 'good' },
  skipped: { label: 'Skipped', tone: 'neutral' },
  waiting: { label: 'Waiting', tone: 'accent' },
  rejected: { label: 'Rejected', tone: 'warn' },
  set_aside: { label: 'Set aside', tone: 'bad' },
}

/** Whether a person may ask for a run: nothing documents it, and no run has it. */
export function isOpen({ state }: Pick<LedgerEntry, 'state'>): boolean {
  return state === 'skipped' || state === 'set_aside' || state === 'rejected'
}

/** For example "2 changes are undocumented, 7 are documented, 12 were skipped". */
export function sayCounts({ documented, skipped, waiting, rejected, set_aside: aside }: Ledger['counts']): string {
  const owed = waiting + aside
  const first = owed === 1 ? '1 change is undocumented' : `${owed} changes are undocumented`
  const others = [
    `${documented} ${documented === 1 ? 'is' : 'are'} documented`,
    `${skipped} ${skipped === 1 ? 'was' : 'were'} skipped`,
    ...(rejected === 0 ? [] : [`${rejected} ${rejected === 1 ? 'was' : 'were'} rejected`]),
  ]
  return `${first}, ${others.join(', ')}.`
}

/** Undefined: nothing was skipped. */
export function saySavings({
  savings: { skipped, tokens, asked, missed },
}: Pick<Ledger, 'savings'>): string | undefined {
  if (skipped + asked === 0) return undefined
  const saved = tokens === null ? '' : `, which saved about ${tokens.toLocaleString('en')} tokens`
  const wrong =
    asked === 0 ? '' : ` People asked for ${asked} of the skipped ones, and ${missed} of these are documented now.`
  return `No model was asked for ${skipped}${saved}.${wrong}`
}
