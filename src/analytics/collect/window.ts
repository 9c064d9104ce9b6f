// Windows of time in which a visitor is the same one: a day, an ISO week, a month, or all time, in the zone of a
// project. They follow one another without a gap: where clocks go back over midnight, the first midnight parts them.
// Knows nothing of salts.

import { Temporal } from 'temporal-polyfill'
import type { ProjectSettings } from '../../projects/settings.ts'
import { startOfDay } from '../zone.ts'

export type WindowKind = ProjectSettings['visitorWindow']

export type VisitorWindow = {
  /** `day:2026-11-21`, `week:2026-W47`, `month:2026-11`, `never`. */
  readonly name: string
  /** Milliseconds since 1970, inclusive. */
  readonly start: number
  /** Exclusive; null: it never ends. */
  readonly end: number | null
}

const always: VisitorWindow = { name: 'never', start: -Infinity, end: null }

/** The window of a time. `zone` is the name of a zone that there is. */
export function windowOf(kind: WindowKind, zone: string, time: number): VisitorWindow {
  if (kind === 'never') return always
  const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate()
  const { firstDay, length } = ending[kind]
  const first = firstDay(date)
  const window = startingAt(kind, zone, first)
  // The clocks went back over midnight: the day had begun already.
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

const keptWindows = 32

/** The same, remembering windows that it found: the same window is the same object while it is remembered. */
export function rememberWindows(): typeof windowOf {
  const found = new Map<string, VisitorWindow[]>()
  return (kind, zone, time) => {
    if (kind === 'never') return always
    const key = `${kind} ${zone}`
    const windows = found.get(key) ?? []
    const known = windows.find(({ start, end }) => time >= start && (end === null || time < end))
    if (known) return known
    if (found.size > 1_000) found.clear()
    const window = windowOf(kind, zone, time)
    found.set(key, [window, ...windows.slice(0, keptWindows - 1)])
    return window
  }
}
