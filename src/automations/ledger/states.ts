// The states of a commit in the ledger, and which of them are the debt. Also the command line loads this file, so it imports nothing.

export const ledgerStates = ['documented', 'skipped', 'waiting', 'rejected', 'set_aside'] as const
export type LedgerState = (typeof ledgerStates)[number]

/** Nothing documents these, and nobody has decided that nothing should. */
export const owedStates = ['waiting', 'set_aside'] as const

export function countOwed(counts: Readonly<Record<LedgerState, number>>): number {
  return owedStates.reduce((sum, state) => sum + counts[state], 0)
}

export function sayOwed(debt: number): string {
  return debt === 1 ? '1 change is undocumented' : `${debt} changes are undocumented`
}
