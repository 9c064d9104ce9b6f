// Notices, while logs are imported, that the addresses are probably not those of readers: few addresses carry many forwarded
// ones, one private address brings most page views, or most have no address; or most user agents cannot be read. Holds addresses
// only in memory.

import { createForwardedCount } from '../../../lib/observability/forwarded-count.ts'
import { type AddressFrom, oneHopFurther } from './address-from.ts'
import {
  type AddressWords,
  commandWords,
  describeAgentless,
  describeMissing,
  describePrivate,
  describeUnused,
  type LogPlace,
} from './hint-words.ts'
import { toPrivate } from './private.ts'

/** A share of fewer page views says little. */
const fewestViews = 20
/** More private addresses than this are a network of readers. */
const mostAddresses = 256

/** The sender of a page view that says its visitor itself. */
export const ownVisitor = 'own visitor'

export type AddressHint = {
  readonly kind: 'unused_addresses' | 'private_address' | 'no_address' | 'no_user_agent'
  /** The private address. */
  readonly address?: string
  /** Different addresses that were used, and that were not. */
  readonly addresses?: number
  readonly forwarded?: number
  /** How many of `of` accepted page views. */
  readonly pageViews: number
  readonly of: number
  readonly text: string
}

export type AddressUse = {
  /** Call it when a log is opened. Hints speak of the last one. */
  readonly begin: (log: LogPlace) => void
  /** The place of addresses that are not used; undefined if the person knows about them. */
  readonly beyond: AddressFrom | undefined
  /** Call it for each accepted page view. `beyond`: its address at that place. */
  readonly add: (address: string | undefined, beyond?: string, userAgent?: string) => void
  readonly hints: () => readonly AddressHint[]
}

/** The person says that the connection is the reader. */
export const connectionIsKnown = 'connection'

/** One for the logs of an import together. `words` names the options where the person gives them. */
export function createAddressUse(
  given: AddressFrom | typeof connectionIsKnown | undefined,
  words: AddressWords = commandWords,
): AddressUse {
  const isKnown = given === connectionIsKnown
  const from = isKnown ? undefined : given
  const forwarded = createForwardedCount()
  const counts = new Map<string, number>()
  const state: { views: number; missing: number; agentless: number; log: LogPlace } = {
    views: 0,
    missing: 0,
    agentless: 0,
    log: { format: '', linesHaveForwarded: false },
  }
  const isMost = (count: number) => state.views >= fewestViews && count * 2 > state.views
  return {
    begin: (log) => void (state.log = log),
    beyond: isKnown ? undefined : oneHopFurther(from),
    add: (address, beyond, userAgent) => {
      state.views += 1
      if (!isAgent(userAgent)) state.agentless += 1
      if (address !== undefined) forwarded.add(address, beyond)
      if (address === undefined) state.missing += 1
      const one = address === undefined ? undefined : toPrivate(address)
      if (one === undefined || (counts.size >= mostAddresses && !counts.has(one))) return
      counts.set(one, (counts.get(one) ?? 0) + 1)
    },
    hints: () => {
      const { views: of, missing, agentless, log } = state
      const agents: readonly AddressHint[] = isMost(agentless)
        ? [
            {
              kind: 'no_user_agent',
              pageViews: agentless,
              of,
              text: describeAgentless({ pageViews: agentless, of }, words),
            },
          ]
        : []
      const unused = isKnown ? undefined : forwarded.find()
      if (unused !== undefined) {
        const { addresses, forwarded: others, requests: pageViews } = unused
        const text = describeUnused(unused, { from, log, words })
        return [{ kind: 'unused_addresses', addresses, forwarded: others, pageViews, of: unused.of, text }, ...agents]
      }
      const common = isKnown ? [] : [...counts].filter(([, count]) => isMost(count))
      const hints = common.map(([address, pageViews]): AddressHint => {
        const text = describePrivate({ address, pageViews, of }, { from, log, words })
        return { kind: 'private_address', address, pageViews, of, text }
      })
      if (!isMost(missing)) return [...hints, ...agents]
      const text = describeMissing({ pageViews: missing, of }, { from, words })
      return [...hints, { kind: 'no_address', pageViews: missing, of, text }, ...agents]
    },
  }
}

/** A name, and something after it or nothing: not a path, an address, a number or a text that is still encoded. */
function isAgent(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z][\w.+-]*(?:[/ (;]|$)/i.test(text)
}
