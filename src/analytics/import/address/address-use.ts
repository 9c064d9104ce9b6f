// Notices, while logs are imported, that the addresses are probably not those of readers: one private address brings most
// page views, or most have no address at the place that was named. Holds a few private addresses, only in memory.

import type { AddressFrom } from './address-from.ts'
import { type AddressWords, commandWords, describeMissing, describePrivate, type LogPlace } from './hint-words.ts'
import { toPrivate } from './private.ts'

/** A share of fewer page views says little. */
const fewestViews = 20
/** More private addresses than this are a network of readers. */
const mostAddresses = 256

/** The sender of a page view that says its visitor itself. */
export const ownVisitor = 'own visitor'

export type AddressHint = {
  readonly kind: 'private_address' | 'no_address'
  /** The private address. */
  readonly address?: string
  /** How many of `of` accepted page views. */
  readonly pageViews: number
  readonly of: number
  readonly text: string
}

export type AddressUse = {
  /** Call it when a log is opened. Hints speak of the last one. */
  readonly begin: (log: LogPlace) => void
  /** Call it for each accepted page view. */
  readonly add: (address: string | undefined) => void
  readonly hints: () => readonly AddressHint[]
}

/** One for the logs of an import together. `words` names the options where the person gives them. */
export function createAddressUse(from: AddressFrom | undefined, words: AddressWords = commandWords): AddressUse {
  const counts = new Map<string, number>()
  const state: { views: number; missing: number; log: LogPlace } = {
    views: 0,
    missing: 0,
    log: { format: '', linesHaveForwarded: false },
  }
  const isMost = (count: number) => state.views >= fewestViews && count * 2 > state.views
  return {
    begin: (log) => void (state.log = log),
    add: (address) => {
      state.views += 1
      if (address === undefined) state.missing += 1
      const one = address === undefined ? undefined : toPrivate(address)
      if (one === undefined || (counts.size >= mostAddresses && !counts.has(one))) return
      counts.set(one, (counts.get(one) ?? 0) + 1)
    },
    hints: () => {
      const { views: of, missing, log } = state
      const common = [...counts].filter(([, count]) => isMost(count))
      const hints = common.map(([address, pageViews]): AddressHint => {
        const text = describePrivate({ address, pageViews, of }, { from, log, words })
        return { kind: 'private_address', address, pageViews, of, text }
      })
      if (from === undefined || !isMost(missing)) return hints
      const text = describeMissing({ pageViews: missing, of }, { from, words })
      return [...hints, { kind: 'no_address', pageViews: missing, of, text }]
    },
  }
}
