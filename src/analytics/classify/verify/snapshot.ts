// A published list of addresses at one time, and the parser of operators' documents. Input from the network is hostile:
// every part is checked, and a document with one invalid part is rejected as a whole.

import { Failure } from '../../../lib/failure.ts'
import { type Network, formatNetwork, parseNetwork } from '../../../lib/network.ts'
import type { RangeSource } from './range-sources.ts'

export type Snapshot = {
  readonly id: string
  readonly source: string
  /** The operator's date: `2026-10-05`. */
  readonly date: string
  /** In normal form. */
  readonly prefixes: readonly string[]
}

/** The longest published list has 1,500. A much longer one is wrong. */
const maxPrefixes = 20_000
/** Broader prefixes would include the customers of whole clouds. */
const broadest = { 4: 8, 6: 20 } as const

/** Parses an operator's document. Throws `invalid_input` with the reason. */
export function readDocument(source: RangeSource, text: string): Snapshot {
  const document = parseObject(text)
  const entries = document['prefixes']
  if (!Array.isArray(entries)) throw refusal('it has no list `prefixes`')
  const prefixes = entries.map((entry: unknown) => {
    const object: Readonly<Record<string, unknown>> = isObject(entry) ? entry : {}
    return object['ipv4Prefix'] ?? object['ipv6Prefix']
  })
  return {
    id: source.id,
    source: source.address,
    date: toDate(document['creationTime']),
    prefixes: toPrefixes(prefixes),
  }
}

/** Parses a file that the service wrote. Throws `invalid_input`. */
export function readSnapshot(source: RangeSource, text: string): Snapshot {
  const { date, prefixes } = parseObject(text)
  if (!Array.isArray(prefixes)) throw refusal('it has no list `prefixes`')
  return { id: source.id, source: source.address, date: toDate(date), prefixes: toPrefixes(prefixes) }
}

export function toNetworks({ prefixes }: Snapshot): readonly Network[] {
  return prefixes.map((prefix) => parseNetwork(prefix)).filter((network) => network !== undefined)
}

function toPrefixes(texts: readonly unknown[]): readonly string[] {
  if (texts.length === 0 || texts.length > maxPrefixes) throw refusal(`it lists ${texts.length} prefixes`)
  return [...new Set(texts.map(toPrefix))]
}

function toPrefix(text: unknown): string {
  const network = typeof text === 'string' && text.length <= 64 ? parseNetwork(text) : undefined
  if (!network) throw refusal('one of its prefixes is no network')
  if (network.bits < broadest[network.family]) throw refusal('one of its prefixes takes in too much')
  return formatNetwork(network)
}

/** The day of an ISO 8601 date-time. Some operators omit the zone and mean UTC. */
function toDate(text: unknown): string {
  const day =
    typeof text === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]{5,20}(?:Z|\+00:00)?)?$/.exec(text)?.[1] : undefined
  const time = Date.parse(`${day ?? ''}T00:00:00Z`)
  if (day === undefined || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
    throw refusal('it does not say when it was made')
  }
  return day
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (!isObject(value)) throw refusal('it is no JSON object')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('it is no JSON')
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refusal(reason: string): Failure {
  return new Failure('invalid_input', `The list of addresses is refused: ${reason}.`)
}
