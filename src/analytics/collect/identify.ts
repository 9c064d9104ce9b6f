// Derives the visitor of a page view, as a number: 64 bits of an HMAC of address and user agent under the salt of the
// visitor window, or of the caller's `visitorId` under a key of the project, or that salt with strict privacy. The class of the client makes no
// difference. No row contains the address, and memory holds it only while its salt exists.

import { createHmac, type KeyObject } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { parseNetwork } from '../../lib/network.ts'
import { copyText } from '../../lib/plain-text.ts'
import type { Db } from '../../postgres/types.ts'
import type { Project } from '../../projects/projects.ts'
import type { RawPageView } from '../page-view.ts'
import { createSalts, rowWindowOf, type Salt, visitorIdWindow } from './salts.ts'
import { cacheWindows } from './window.ts'

export type IdentifiedIn = { readonly projectId: string } & Pick<Project, 'timeZone' | 'privacy' | 'visitorWindow'>
export type Identified = Pick<RawPageView, 'time' | 'address' | 'userAgent' | 'visitorId' | 'history'>

export type Identity = {
  /** 0: no visitor, because the client has neither a valid address nor a `visitorId`. */
  readonly visitor: bigint
  /** Visitors of different salt windows are never the same. Empty: the visitor may return at any time. */
  readonly saltWindow: string
}

/** Returns one identity per client, in the same order. Throws the errors of reading a salt. */
export type Identify = (
  where: IdentifiedIn,
  clients: readonly Identified[],
  importGroup: string | undefined,
) => Promise<readonly Identity[]>

export const noVisitor = 0n

export function createIdentify({ db, clock }: { readonly db: Db; readonly clock: Clock }): Identify {
  const visitors = cacheVisitors()
  const salts = createSalts({ db, clock }, visitors.forget)
  const windowAt = cacheWindows()
  return async ({ projectId, timeZone, privacy, visitorWindow }, clients, importGroup) => {
    // With strict privacy nobody is recognised on another day, not even by an id of the caller.
    const idWindow = privacy === 'strict' ? undefined : visitorIdWindow
    const placed = clients.map((client) => {
      const window = (client.visitorId && idWindow) || windowAt(visitorWindow, timeZone, client.time)
      return { client, window, hasVisitor: client.visitorId !== undefined || client.address !== undefined }
    })
    const found = new Map<string, Salt>()
    for (const { window, hasVisitor } of placed) {
      if (hasVisitor && !found.has(window.name)) {
        found.set(window.name, await salts.find({ projectId, window, importId: importGroup }))
      }
    }
    return placed.map(({ client, window, hasVisitor }) => {
      const salt = hasVisitor ? found.get(window.name) : undefined
      if (!salt) return { visitor: noVisitor, saltWindow: rowWindowOf(window) }
      return { visitor: visitors.identify(salt, projectId, client), saltWindow: salt.rowWindow }
    })
  }
}

/** Cached visitors, over all salts. */
const maxCached = 50_000

/** By user agent and address. A key of both would be made for every page view. */
type OfSalt = { readonly agents: Map<string, Map<string, bigint>>; count: number }

/**
 * Caches the HMAC of returning clients. Grouped by salt and cleared when full, not an LRU: when a salt is destroyed,
 * its addresses leave memory at once, without a search through those of other salts.
 */
function cacheVisitors() {
  const known = new Map<Salt, OfSalt>()
  const state = { count: 0 }
  const identify = (salt: Salt, projectId: string, { address = '', userAgent, visitorId, history }: Identified) => {
    if (visitorId && history) return visitorOfSession(salt, projectId, { session: visitorId, tool: history.tool })
    if (visitorId) return visitorOfId(salt, projectId, visitorId)
    const before = known.get(salt)?.agents.get(userAgent)?.get(address)
    if (before !== undefined) return before
    const visitor = visitorOfClient(salt, projectId, { address, userAgent })
    if (!salt.isKept) return visitor
    if (state.count >= maxCached) {
      known.clear()
      state.count = 0
    }
    const ofSalt = known.get(salt) ?? { agents: new Map<string, Map<string, bigint>>(), count: 0 }
    known.set(salt, ofSalt)
    const addresses = ofSalt.agents.get(userAgent)
    if (addresses) addresses.set(address, visitor)
    else ofSalt.agents.set(copyText(userAgent), new Map([[address, visitor]]))
    ofSalt.count += 1
    state.count += 1
    return visitor
  }
  const forget = (salt: Salt) => {
    state.count -= known.get(salt)?.count ?? 0
    known.delete(salt)
  }
  return { identify, forget }
}

export type Client = { readonly address: string; readonly userAgent: string }

/** Returns 0 if `address` is not an IP address. */
export function visitorOfClient({ key }: Pick<Salt, 'key'>, projectId: string, { address, userAgent }: Client): bigint {
  const network = networkOf(address)
  return network === undefined ? noVisitor : numberOf(key, ['client', projectId, network, userAgent])
}

export function visitorOfId({ key }: Pick<Salt, 'key'>, projectId: string, visitorId: string): bigint {
  return numberOf(key, ['visitor-id', projectId, visitorId])
}

type Session = { readonly session: string; readonly tool: string }

/** The session of another tool is never a visitor id of a caller, whatever the two are. */
export function visitorOfSession({ key }: Pick<Salt, 'key'>, projectId: string, { session, tool }: Session): bigint {
  return numberOf(key, ['session', projectId, tool, session])
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address: the part that one household or machine gets. */
export function networkOf(address: string): string | undefined {
  const plain = address.includes(':') ? (address.split('%', 1)[0] ?? '') : address
  const network = plain.includes('/') ? undefined : parseNetwork(plain)
  if (!network) return undefined
  return network.family === 4 ? `4:${network.base.toString(16)}` : `6:${(network.base >> 64n).toString(16)}`
}

/**
 * Hashes length-prefixed parts, so that distinct inputs never collide as text. Never returns 0, which means "no
 * visitor".
 */
function numberOf(key: KeyObject, parts: readonly string[]): bigint {
  const text = parts.reduce((before, part) => `${before}${part.length}:${part}`, '')
  const number = firstNumber(createHmac('sha256', key).update(text).digest('binary'), 'big')
  return number === noVisitor ? 1n : number
}

const bytes = new Uint8Array(8)
const numbers = new DataView(bytes.buffer)

/** The first 64 bits of a digest as text of bytes, which Node makes three times as fast as a buffer. */
export function firstNumber(digest: string, order: 'big' | 'little'): bigint {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = digest.charCodeAt(at)
  return numbers.getBigUint64(0, order === 'little')
}
