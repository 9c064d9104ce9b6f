// Notices that requests come from few addresses and carry many forwarded ones that nobody uses: probably, the few are those of
// proxies, and everybody behind them looks like one client. Holds addresses in memory only, and not too many.

import { copyText } from '../plain-text.ts'

export type ForwardedUse = {
  /** Different addresses that are used. */
  readonly addresses: number
  /** Different addresses that the requests carry beside them. */
  readonly forwarded: number
  /** Requests that carry one. */
  readonly requests: number
  /** All requests. */
  readonly of: number
}

export type ForwardedCount = {
  /** `beyond`: the next address of X-Forwarded-For, which is not trusted. */
  readonly add: (address: string, beyond: string | undefined) => void
  /** Undefined: nothing is wrong. */
  readonly find: () => ForwardedUse | undefined
}

/** Fewer requests say little. */
const fewestRequests = 20
/** More different addresses are not counted. */
const mostAddresses = 50_000

export function createForwardedCount(): ForwardedCount {
  const used = new Set<string>()
  const carried = new Set<string>()
  const state = { requests: 0, of: 0 }
  return {
    add: (address, beyond) => {
      state.of += 1
      keep(used, address)
      if (beyond === undefined || beyond === address) return
      state.requests += 1
      keep(carried, beyond)
    },
    find: () => {
      const { requests, of } = state
      const [addresses, forwarded] = [used.size, carried.size]
      const isMost = requests >= fewestRequests && requests * 2 > of
      return isMost && forwarded >= addresses * 2 ? { addresses, forwarded, requests, of } : undefined
    },
  }
}

/** A text that was cut from a line would keep the lines around it in memory. */
function keep(addresses: Set<string>, address: string): void {
  if (addresses.size < mostAddresses && !addresses.has(address)) addresses.add(copyText(address))
}

/** `9,812 of 10,020 requests came from 40 addresses and carry 6,000 forwarded ones` */
export function describeForwarded({ addresses, forwarded, requests, of }: ForwardedUse, things: string): string {
  const [some, all, few, many] = [requests, of, addresses, forwarded].map((count) => count.toLocaleString('en-US'))
  const from = addresses === 1 ? '1 address' : `${few} addresses`
  return `${some} of ${all} ${things} came from ${from} and carry ${many} forwarded ones`
}
