// The states of a commit in the ledger. Also the command line loads this file, so it imports nothing.

export const ledgerStates = ['documented', 'skipped', 'waiting', 'rejected', 'set_aside'] as const
export type LedgerState = (typeof ledgerStates)[number]
