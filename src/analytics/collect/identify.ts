// Who viewed a page, as a number: 64 bits of an HMAC of address and user agent under the salt of the window of its
// time, or of the caller's own word for the visitor under a key of the project. What a client counts as has no part in
// it. After this the address is gone: it is in no row, and in memory only beside a salt that still lives.

import { createHmac, type KeyObject } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { parseNetwork } from '../../lib/network.ts'
import type { Db } from '../../postgres/types.ts'
import type { Project } from '../../projects/projects.ts'
import type { RawPageView } from '../page-view.ts'
import { createSalts, type Salt, visitorIdWindow } from './salts.ts'
import { rememberWindows } from './window.ts'

export type IdentifiedIn = { readonly projectId: string } & Pick<Project, 'timeZone' | 'visitorWindow'>
export type Identified = Pick<RawPageView, 'time' | 'address' | 'userAgent' | 'visitorId'>

/**
 * One number for each client, in their order; 0: it makes no visitor, since it has neither an address that can be read
 * nor a word of the caller's. Throws what finding a salt may throw.
 */
export type Identify = (
  where: IdentifiedIn,
  clients: readonly Identified[],
  importId: string | undefined,
) => Promise<readonly bigint[]>

export const noVisitor = 0n

export function createIdentify({ db, clock }: { readonly db: Db; readonly clock: Clock }): Identify {
  const remembered = rememberVisitors()
  const salts = createSalts({ db, clock }, remembered.forget)
  const windowAt = rememberWindows()
  return async ({ projectId, timeZone, visitorWindow }, clients, importId) => {
    const windows = clients.map(({ time, address, visitorId }) => {
      if (visitorId) return visitorIdWindow
      return address === undefined ? undefined : windowAt(visitorWindow, timeZone, time)
    })
    const found = new Map<string, Salt>()
    for (const window of new Set(windows)) {
      if (window && !found.has(window.name)) {
        found.set(window.name, await salts.find({ projectId, window, importId }))
      }
    }
    return clients.map((client, at) => {
      const salt = found.get(windows[at]?.name ?? '')
      return salt ? remembered.identify(salt, projectId, client) : noVisitor
    })
  }
}

/** Addresses with their visitors, of all salts together. */
const mostRemembered = 50_000

/** An empty word says nothing. */
function rememberVisitors() {
  const known = new Map<Salt, Map<string, bigint>>()
  const state = { count: 0 }
  const identify = (salt: Salt, projectId: string, { address = '', userAgent, visitorId }: Identified) => {
    if (visitorId) return visitorOfWord(salt, projectId, visitorId)
    const ofSalt = known.get(salt) ?? new Map<string, bigint>()
    const client = `${address.length}:${address}${userAgent}`
    const before = ofSalt.get(client)
    if (before !== undefined) return before
    const visitor = visitorOfClient(salt, projectId, { address, userAgent })
    if (!salt.isKept) return visitor
    if (state.count >= mostRemembered) {
      known.clear()
      ofSalt.clear()
      state.count = 0
    }
    known.set(salt, ofSalt.set(client, visitor))
    state.count += 1
    return visitor
  }
  const forget = (salt: Salt) => {
    state.count -= known.get(salt)?.size ?? 0
    known.delete(salt)
  }
  return { identify, forget }
}

export type Client = { readonly address: string; readonly userAgent: string }

/** 0 for what is no address. */
export function visitorOfClient({ key }: Pick<Salt, 'key'>, projectId: string, { address, userAgent }: Client): bigint {
  const network = networkOf(address)
  return network === undefined ? noVisitor : numberOf(key, ['client', projectId, network, userAgent])
}

export function visitorOfWord({ key }: Pick<Salt, 'key'>, projectId: string, visitorId: string): bigint {
  return numberOf(key, ['visitor-id', projectId, visitorId])
}

/** An IPv4 address, or the first 64 bits of another: what one household or one machine is given. */
export function networkOf(address: string): string | undefined {
  const plain = address.includes(':') ? (address.split('%', 1)[0] ?? '') : address
  const network = plain.includes('/') ? undefined : parseNetwork(plain)
  if (!network) return undefined
  return network.family === 4 ? `4:${network.base.toString(16)}` : `6:${(network.base >> 64n).toString(16)}`
}

/** Each part behind its length, so that no other parts make the same text. Never 0: that is nobody. */
function numberOf(key: KeyObject, parts: readonly string[]): bigint {
  const text = parts.reduce((before, part) => `${before}${part.length}:${part}`, '')
  const number = createHmac('sha256', key).update(text).digest().readBigUInt64BE(0)
  return number === noVisitor ? 1n : number
}
