// Visitor windows: the spans of time in which a client keeps its visitor id. A window is a day, an ISO week, a month, or
// all time, in the zone of a project. Windows have no gaps: where clocks go back over midnight, the first midnight
// separates them. Knows nothing about salts.

import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import type { ProjectSettings } from '../../projects/settings.ts'
import { startOfDay } from '../zone.ts'

export type WindowKind = ProjectSettings['visitorWindow']

export type VisitorWindow = {
  /** `day:2026-11-21`, `week:2026-W47`, `month:2026-11`, `never`. */
  readonly name: string
  /** Milliseconds since 1970, inclusive. */
  readonly start: number
  /** Exclusive; null: the window never ends. */
  readonly end: number | null
}

const always: VisitorWindow = { name: 'never', start: -Infinity, end: null }

/** The window that contains a time. Throws RangeError for an unknown zone. */
export function windowOf(kind: WindowKind, zone: string, time: number): VisitorWindow {
  if (kind === 'never') return always
  const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate()
  const { firstDay, length } = ending[kind]
  const first = firstDay(date)
  const window = startingAt(kind, zone, first)
  // The clocks went back over midnight: the next window had already begun.
  return window.end !== null && time >= window.end ? startingAt(kind, zone, first.add(length)) : window
}

type Kind = {
  readonly length: Temporal.DurationLikeObject
  readonly firstDay: (date: Temporal.PlainDate) => Temporal.PlainDate
  readonly name: (first: Temporal.PlainDate) => string
}

const ending: Readonly<Record<Exclude<WindowKind, 'never'>, Kind>> = {
  day: { length: { days: 1 }, firstDay: (date) => date, name: (first) => first.toString() },
  week: {
    length: { weeks: 1 },
    firstDay: (date) => date.subtract({ days: date.dayOfWeek - 1 }),
    name: (first) => `${first.yearOfWeek}-W${String(first.weekOfYear).padStart(2, '0')}`,
  },
  month: {
    length: { months: 1 },
    firstDay: (date) => date.with({ day: 1 }),
    name: (first) => first.toPlainYearMonth().toString(),
  },
}

function startingAt(kind: keyof typeof ending, zone: string, first: Temporal.PlainDate): VisitorWindow {
  const { name, length } = ending[kind]
  const next = first.add(length)
  return {
    name: `${kind}:${name(first)}`,
    start: startOfDay(zone, first.toString()),
    end: startOfDay(zone, next.toString()),
  }
}

const maxZones = 1_000
const maxWindowsOfZone = 32

/** `windowOf` with a cache. While a window is cached, every call returns the same object. */
export function cacheWindows(): typeof windowOf {
  const found = new LRUCache<string, readonly VisitorWindow[]>({ max: maxZones })
  return (kind, zone, time) => {
    if (kind === 'never') return always
    const key = `${kind} ${zone}`
    const windows = found.get(key) ?? []
    const known = windows.find(({ start, end }) => time >= start && (end === null || time < end))
    if (known) return known
    const window = windowOf(kind, zone, time)
    found.set(key, [window, ...windows.slice(0, maxWindowsOfZone - 1)])
    return window
  }
}
