// Notices, while logs are imported, that the addresses are probably not those of readers: few addresses carry many forwarded
// ones, one private address brings most page views, or most have no address; or most user agents cannot be read; or how many
// page views of browsers are probably automated. Holds addresses only in memory.

import { createForwardedCount, type ForwardedUse } from '../../../lib/observability/forwarded-count.ts'
import { copyText } from '../../../lib/plain-text.ts'
import type { WirePageView } from '../wire-page-view.ts'
import { type AddressFrom, oneHopFurther } from './address-from.ts'
import {
  type AddressWords,
  commandWords,
  describeAgentless,
  describeAutomated,
  describeMissing,
  describePrivate,
  describeUnused,
  type LogPlace,
} from './hint-words.ts'
import { type AutomatedDay, createPartUse, type PartShare } from './part-use.ts'
import { toPrivate } from './private.ts'

/** A share of fewer page views says little. */
const fewestViews = 20
/** More private addresses than this are a network of readers. */
const mostAddresses = 256

/** The sender of a page view that says its visitor itself. */
export const ownVisitor = 'own visitor'

export type AddressHint = {
  readonly kind: 'unused_addresses' | 'private_address' | 'no_address' | 'no_user_agent' | 'probably_automated'
  /** The private address. */
  readonly address?: string
  /** Different addresses that were used, and that were not. */
  readonly addresses?: number
  readonly forwarded?: number
  /** Readers with the user agent of a browser: those that the hint is about, of all. */
  readonly readers?: number
  readonly ofReaders?: number
  /** How many of `of` accepted page views. */
  readonly pageViews: number
  readonly of: number
  readonly text: string
}

export type AddressUse = {
  /** Call it when a log is opened. Hints speak of the last one. `timeZone`: that of the project. */
  readonly begin: (log: LogPlace, timeZone: string) => void
  /** The place of addresses that are not used; undefined if the person knows about them. */
  readonly beyond: AddressFrom | undefined
  /** Call it for each accepted page view. `beyond`: its address at that place. */
  readonly add: (address: string | undefined, beyond?: string, view?: WirePageView) => void
  /** Call it for each request that is no page view. */
  readonly seeOther: (request: WirePageView) => void
  readonly hints: () => readonly AddressHint[]
  /** The counts of the hint about automated page views, by day, also if these are 0. Empty: nobody can say. */
  readonly automatedDays: () => readonly AutomatedDay[]
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
  const parts = createPartUse()
  const counts = new Map<string, number>()
  const state: { views: number; missing: number; agentless: number; log: LogPlace } = {
    views: 0,
    missing: 0,
    agentless: 0,
    log: { format: '', linesHaveForwarded: false },
  }
  const isMost = (count: number) => state.views >= fewestViews && count * 2 > state.views
  const findUnused = () => (isKnown ? undefined : forwarded.find())
  return {
    begin: (log, timeZone) => {
      state.log = log
      parts.begin(timeZone)
    },
    beyond: isKnown ? undefined : oneHopFurther(from),
    add: (address, beyond, view) => {
      state.views += 1
      if (!isAgent(view?.userAgent)) state.agentless += 1
      if (address !== undefined) {
        forwarded.add(address, beyond)
        if (address !== ownVisitor && view) parts.addPage(view)
      }
      if (address === undefined) state.missing += 1
      const one = address === undefined ? undefined : toPrivate(address)
      if (one === undefined || (counts.size >= mostAddresses && !counts.has(one))) return
      const count = counts.get(one)
      counts.set(count === undefined ? copyText(one) : one, (count ?? 0) + 1)
    },
    seeOther: parts.addOther,
    hints: () => {
      const { views: of, missing, agentless, log } = state
      const about = { from, log, words }
      const unused = findUnused()
      const agents = isMost(agentless) ? [toAgentless({ pageViews: agentless, of }, words)] : []
      // Readers who share the address of a proxy can't be distinguished.
      if (unused !== undefined) return [toUnused(unused, about), ...agents]
      const common = isKnown ? [] : [...counts].filter(([, count]) => isMost(count))
      const hints = common.map(([address, pageViews]): AddressHint => {
        const text = describePrivate({ address, pageViews, of }, about)
        return { kind: 'private_address', address, pageViews, of, text }
      })
      if (isMost(missing)) {
        const text = describeMissing({ pageViews: missing, of }, about)
        hints.push({ kind: 'no_address', pageViews: missing, of, text })
      }
      const share = parts.find()
      return [...hints, ...agents, ...(share === undefined ? [] : [toAutomated(share)])]
    },
    automatedDays: () => (findUnused() === undefined ? parts.days() : []),
  }
}

function toUnused(unused: ForwardedUse, about: Parameters<typeof describeUnused>[1]): AddressHint {
  const { addresses, forwarded, requests: pageViews, of } = unused
  return { kind: 'unused_addresses', addresses, forwarded, pageViews, of, text: describeUnused(unused, about) }
}

function toAgentless(share: { readonly pageViews: number; readonly of: number }, words: AddressWords): AddressHint {
  return { kind: 'no_user_agent', ...share, text: describeAgentless(share, words) }
}

function toAutomated(share: PartShare): AddressHint {
  return { kind: 'probably_automated', ...share, text: describeAutomated(share) }
}

/** A name, and something after it or nothing: not a path, an address, a number or a text that is still encoded. */
function isAgent(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z][\w.+-]*(?:[/ (;]|$)/i.test(text)
}
