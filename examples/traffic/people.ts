// The people who read the example site. Their traits are computed from their number and the seed, so no person is kept in
// memory. Some share one address, some have IPv6 addresses that change daily within their network, and some have an agent
// that reads for them.

import { browsers, claudeCode, desktopChromes, type TrafficClient } from './clients.ts'
import { mix, weighted } from './random.ts'

export type Person = {
  readonly client: TrafficClient
  /** The agent that fetches Markdown for them: Claude Code, or an editor with the user agent of their browser. */
  readonly agent: TrafficClient | undefined
  /** Returns the address on a day, counted from 1970. */
  address(day: number): string
}

const pickBrowser = weighted(browsers)
const pickChrome = weighted(desktopChromes)

/** Networks reserved for documentation (RFC 5737). The last numbers 1 to 254 are people. */
const networks = ['192.0.2', '198.51.100', '203.0.113'] as const

/** Addresses of offices and a mobile operator, each shared by several people. */
const shared = ['192.0.2.250', '198.51.100.250', '198.51.100.251', '203.0.113.250'] as const

export function personOf(seed: number, number: number): Person {
  const traits = mix(seed ^ Math.imul(number + 1, 0x9e3779b1))
  const hasAgent = traits % 6 === 0
  const pick = hasAgent ? pickChrome : pickBrowser
  const client = pick(mix(traits) / 2 ** 32)
  const agent = (traits >>> 8) % 5 < 2 ? client : claudeCode
  return { client, agent: hasAgent ? agent : undefined, address: addressOf(traits, number) }
}

function addressOf(traits: number, number: number): Person['address'] {
  const kind = (traits >>> 16) % 10
  if (kind < 2) return () => shared[(traits >>> 20) % shared.length] ?? shared[0]
  if (kind < 6) return () => `${networks[number % networks.length]}.${1 + (Math.floor(number / networks.length) % 240)}`
  const network = `2001:db8:${(traits & 0xffff).toString(16)}:${(number & 0xffff).toString(16)}`
  return (day) =>
    `${network}:${hex(traits, day)}:${hex(traits + 1, day)}:${hex(traits + 2, day)}:${hex(traits + 3, day)}`
}

function hex(traits: number, day: number): string {
  return (mix(traits ^ Math.imul(day, 0x85ebca6b)) & 0xffff).toString(16)
}
