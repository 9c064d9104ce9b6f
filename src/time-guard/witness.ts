// Learns the time of another machine from the `Date` header of responses that the service gets anyway. Counts only
// https responses from hosts with public addresses: a private or loopback address may be this machine, with the same
// clock.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPrivateAddress } from '../lib/outbound/private-address.ts'

export type ResponseDate = { readonly url: string; readonly date: string | null }
export type Resolve = (host: string) => Promise<readonly string[]>

export type Witness = {
  /** Checks the response in the background. Never throws. */
  report(response: ResponseDate): void
  /** Returns the current time of that machine in milliseconds since 1970; undefined before any response counts. */
  time(): number | undefined
}

export function createWitness(monotonic: () => number, resolve: Resolve = systemResolve): Witness {
  const latest: { seen?: { readonly time: number; readonly at: number } } = {}
  return {
    report: ({ url, date }) => {
      const at = monotonic()
      const time = Date.parse(date ?? '')
      const { protocol, hostname } = URL.parse(url) ?? {}
      if (Number.isNaN(time) || protocol !== 'https:' || hostname === undefined) return
      void isPublicHost(hostname.replace(/^\[(.*)\]$/, '$1'), resolve).then((isPublic) => {
        if (isPublic) latest.seen = { time, at }
        return undefined
      })
    },
    time: () => latest.seen && latest.seen.time + (monotonic() - latest.seen.at),
  }
}

/** Returns false when the name does not resolve. */
async function isPublicHost(host: string, resolve: Resolve): Promise<boolean> {
  const addresses = await resolve(host).catch(() => [])
  return addresses.length > 0 && addresses.every(isPublicAddress)
}

export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isPrivateAddress(address)
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}
