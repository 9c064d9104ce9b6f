// What a key opens, and whether one opens no more than another. Pure: nothing is known here of stores or texts.

import { isWithinNetworks } from '../lib/network.ts'

/** `write` implies `read`; `admin` implies both. */
export const scopes = ['read', 'write', 'admin'] as const

export type Grant = {
  readonly scope: (typeof scopes)[number]
  /** null: all projects. */
  readonly projectIds: readonly string[] | null
  /** null: never. */
  readonly expiresAt: Date | null
  /** Addresses and CIDRs; null: from anywhere. */
  readonly allowedAddresses: readonly string[] | null
}

/** The rights that `wanted` has beyond `by`, in words for the caller; undefined for no such right. */
export function findExcess(by: Grant, wanted: Grant): string | undefined {
  if (scopes.indexOf(wanted.scope) > scopes.indexOf(by.scope)) return `its scope is \`${by.scope}\``
  if (exceeds(by.projectIds, wanted.projectIds, (id, ids) => ids.includes(id))) return 'it is for certain projects'
  if (by.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > by.expiresAt)) {
    return `it expires at ${by.expiresAt.toISOString()}`
  }
  if (exceeds(by.allowedAddresses, wanted.allowedAddresses, isWithinNetworks)) return 'it is for certain addresses'
  return undefined
}

/** null is everything. */
function exceeds(
  mine: readonly string[] | null,
  wanted: readonly string[] | null,
  isWithin: (one: string, mine: readonly string[]) => boolean,
): boolean {
  if (mine === null) return false
  return wanted === null || !wanted.every((one) => isWithin(one, mine))
}
