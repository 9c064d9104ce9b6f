// The rights of a key, and the comparison of two keys' rights. Pure functions; they know no store and no key text.

import { isWithinNetworks } from '../lib/network.ts'

/** `write` implies `read`; `admin` implies both. */
export const scopes = ['read', 'write', 'admin'] as const

export type Grant = {
  readonly scope: (typeof scopes)[number]
  /** Null means all projects. */
  readonly projectIds: readonly string[] | null
  /** Null means that the key never expires. */
  readonly expiresAt: Date | null
  /** Addresses and CIDRs; null means any address. */
  readonly allowedAddresses: readonly string[] | null
}

/** Describes the rights that `wanted` has beyond `by`; undefined when there are no such rights. */
export function findExcess(by: Grant, wanted: Grant): string | undefined {
  if (scopes.indexOf(wanted.scope) > scopes.indexOf(by.scope)) return `its scope is \`${by.scope}\``
  if (exceeds(by.projectIds, wanted.projectIds, (id, ids) => ids.includes(id))) return 'it is for certain projects'
  if (by.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > by.expiresAt)) {
    return `it expires at ${by.expiresAt.toISOString()}`
  }
  if (exceeds(by.allowedAddresses, wanted.allowedAddresses, isWithinNetworks)) return 'it is for certain addresses'
  return undefined
}

export type Reach = 'all projects' | 'whole service'

/** Describes the limit that keeps `by` from what belongs to no project; undefined when nothing does. */
export function findLimit(by: Grant, reach: Reach): string | undefined {
  const end = reach === 'all projects' ? by.expiresAt : null
  const allowedAddresses = reach === 'all projects' ? by.allowedAddresses : null
  return findExcess(by, { scope: by.scope, projectIds: null, expiresAt: end, allowedAddresses })
}

/** Treats null as unlimited. */
function exceeds(
  mine: readonly string[] | null,
  wanted: readonly string[] | null,
  isWithin: (one: string, mine: readonly string[]) => boolean,
): boolean {
  if (mine === null) return false
  return wanted === null || !wanted.every((one) => isWithin(one, mine))
}
