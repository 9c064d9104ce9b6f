// When a key stops working, as a state that people act on. Pure.

import type { Key } from '../../api/keys.ts'

const soonMs = 14 * 86_400_000

/** `soon`: within two weeks. */
export type Expiry = 'never' | 'later' | 'soon' | 'over'

export function expiryOf({ expiresAt, state }: Pick<Key, 'expiresAt' | 'state'>, now: Date): Expiry {
  if (expiresAt === null) return 'never'
  const left = new Date(expiresAt).getTime() - now.getTime()
  if (left <= 0 || state === 'expired') return 'over'
  return left <= soonMs ? 'soon' : 'later'
}

/** Does it work now? */
export function isInUse({ state }: Pick<Key, 'state'>): boolean {
  return state === 'active' || state === 'replaced'
}
