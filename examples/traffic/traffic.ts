// Generates the traffic of the example site in chronological order; the same seed and end give the same traffic.
// Generates one hour at a time, so any number of requests takes little memory.

import { type Person, personOf } from './people.ts'
import { createRandom, mix, type Random, weighted } from './random.ts'
import type { LoggedRequest } from './request.ts'
import { assistantKind, type Kind, machineKinds, type Visit, visitAsAgent, visitAsPerson } from './visits.ts'

export type TrafficOptions = {
  /** The exact number of requests. */
  readonly lines: number
  readonly seed: number
  /** The end of the traffic (exclusive), in milliseconds since 1970. */
  readonly until: number
  /** The number of UTC days, including the last one. */
  readonly days: number
}

const hour = 3_600_000
const day = 24 * hour

/** The relative number of people in each hour of the UTC day, with a peak during European and American working hours. */
const hours = [3, 2, 2, 2, 3, 4, 6, 9, 13, 15, 15, 14, 13, 15, 17, 17, 16, 14, 11, 9, 8, 7, 5, 4] as const
/** The factor for each day of the week, starting with Sunday. */
const weekdays = [0.3, 0.95, 1.05, 1.1, 1.05, 0.9, 0.32] as const
/** The relative number of machines in every hour, in the unit of `hours`. */
const machines = 2.6

export function* generateTraffic({ lines, seed, until, days }: TrafficOptions): Generator<LoggedRequest, void> {
  const random = createRandom(seed)
  const plan = planHours(until, days)
  const total = plan.reduce((sum, { people }) => sum + people + machines, 0)
  const crowd = Math.max(30, Math.round(lines * 0.07))
  let pending: LoggedRequest[] = []
  let made = 0
  let due = 0
  const add = (request: LoggedRequest) => {
    if (made === lines) return
    made += 1
    pending.push(request.time < until ? request : { ...request, time: until - 1 })
  }
  for (const { start, length, people } of plan) {
    due += ((people + machines) / total) * lines
    const isLast = start + length === until
    while (made < (isLast ? lines : Math.round(due))) {
      const around = { random, add, time: start + random.below(length) }
      if (random.next() * (people + machines) < people) visitByPeople(around, { seed, crowd })
      else visitByMachine(around, pickKind(random.next()))
    }
    pending.sort((a, b) => a.time - b.time)
    const end = start + length
    const open = pending.findIndex(({ time }) => time >= end)
    const ready = open < 0 ? pending.length : open
    for (let n = 0; n < ready; n += 1) yield pending[n] as LoggedRequest
    pending = pending.slice(ready)
  }
}

type Hour = { readonly start: number; readonly length: number; readonly people: number }

/** The last hour may be incomplete. */
function planHours(until: number, days: number): readonly Hour[] {
  const first = Math.floor((until - 1) / day) * day - (days - 1) * day
  const plan: Hour[] = []
  for (let start = first; start < until; start += hour) {
    const date = new Date(start)
    const growth = 0.85 + (0.3 * (start - first)) / (days * day)
    const people = (hours[date.getUTCHours()] ?? 0) * (weekdays[date.getUTCDay()] ?? 0) * growth
    plan.push({ start, length: Math.min(hour, until - start), people })
  }
  return plan
}

type Around = Pick<Visit, 'random' | 'add' | 'time'>

/** A few people come often, most once or twice. */
function visitByPeople(around: Around, { seed, crowd }: { readonly seed: number; readonly crowd: number }): void {
  const { random } = around
  if (random.chance(0.27)) {
    visitByMachine(around, assistantKind)
    return
  }
  const number = Math.floor(crowd * random.next() ** 2.6)
  const person = personOf(seed, number)
  const { agent } = person
  if (agent && random.chance(0.6)) visitAsAgent(enter(around, person, agent))
  else visitAsPerson(enter(around, person, person.client), random.chance(number < crowd / 8 ? 0.8 : 0.35))
}

function enter(around: Around, person: Person, client: Person['client']): Visit {
  return { ...around, client, address: person.address(Math.floor(around.time / day)) }
}

const pickKind = weighted(machineKinds)
const pickers = new Map<Kind, (at: number) => Visit['client']>(
  [...machineKinds, assistantKind].map((kind) => [kind, weighted(kind.clients)]),
)

function visitByMachine(around: Around, kind: Kind): void {
  const client = pickers.get(kind)?.(around.random.next())
  if (client) kind.go({ ...around, client, address: machineAddress(around.random, client) })
}

/** An address from the published network of the operator, otherwise from a network for documentation that people share. */
function machineAddress(random: Random, { network, userAgent }: Visit['client']): string {
  if (network) return `${network.prefix}${network.first + random.below(network.size)}`
  return `203.0.113.${1 + ((mix(userAgent.length * 31 + userAgent.charCodeAt(5)) + random.below(12)) % 240)}`
}
