// Says how visitors of a range are distinguished: the visitor windows that it spans, in each of which a person is another
// visitor. Knows windows by the names that page views carry, and reads no rows. Pure.

import type { ProjectSettings } from '../../../projects/settings.ts'
import { addDays, addMonths, dayOf, startOfMonth, startOfWeek } from '../../zone.ts'
import type { Plan } from './plan.ts'
import type { WindowVersion } from './version.ts'

type WindowKind = ProjectSettings['visitorWindow']
type EndingKind = Exclude<WindowKind, 'never'>

export type PerWindow = {
  /** How long the windows are; that of the last one if the project changed it. */
  readonly window: EndingKind
  /** At least 2. */
  readonly windows: number
  /** Continues a number: "counted per month: Oct 25–31 and Nov 1–23; a person who came in both counts twice". */
  readonly note: string
}

/** The days of a window that are in the range; `to` is the last one. */
type Part = { readonly kind: EndingKind; readonly from: string; readonly to: string }

type Counting = Pick<ProjectSettings, 'timeZone' | 'visitorWindow'>

/** Null: no visitor counts twice. Windows without a page view in the range don't count. */
export function perWindowOf(
  plan: Pick<Plan, 'dateFrom' | 'dateTo' | 'from' | 'to'>,
  settings: Counting,
  windows: readonly WindowVersion[],
): PerWindow | null {
  const inRange = windows.filter(({ first, last }) => first < plan.to && last >= plan.from)
  const starts = new Set(inRange.flatMap((one) => startsOf(one, plan, settings)))
  const parts = [...starts].map((start) => toPart(start, plan)).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const last = parts.at(-1)
  return last === undefined || parts.length < 2
    ? null
    : { window: last.kind, windows: parts.length, note: noteOf(parts) }
}

type Start = `${EndingKind} ${string}`

/**
 * The kind and the first day of a window. Page views without a window belong to a visitor of any time, or are older than
 * names of windows: those of the project's present windows, so that no doubled person is passed over in silence.
 */
function startsOf(
  { window, first, last }: WindowVersion,
  { from, to }: Pick<Plan, 'from' | 'to'>,
  { timeZone, visitorWindow }: Counting,
): readonly Start[] {
  if (window !== '') return startOfName(window)
  if (visitorWindow === 'never') return []
  const end = dayOf(timeZone, Math.min(last, to - 1))
  const starts: Start[] = []
  const { firstDay, next } = kinds[visitorWindow]
  for (let day = firstDay(dayOf(timeZone, Math.max(first, from))); day <= end; day = next(day)) {
    starts.push(`${visitorWindow} ${day}`)
  }
  return starts
}

/** Parses `day:2026-11-21`, `week:2026-W47` and `month:2026-11`. */
function startOfName(name: string): readonly Start[] {
  const [kind = '', which = ''] = name.split(':')
  if (kind === 'day') return [`day ${which}`]
  if (kind === 'month') return [`month ${which}-01`]
  const [year = '', week = ''] = which.split('-W')
  // The fourth of January is in the first week of its ISO year.
  return kind === 'week' ? [`week ${startOfWeek(addDays(`${year}-01-04`, 7 * (Number(week) - 1)))}`] : []
}

const kinds: Readonly<
  Record<EndingKind, { readonly firstDay: (day: string) => string; readonly next: (first: string) => string }>
> = {
  day: { firstDay: (day) => day, next: (first) => addDays(first, 1) },
  week: { firstDay: startOfWeek, next: (first) => addDays(first, 7) },
  month: { firstDay: startOfMonth, next: (first) => addMonths(first, 1) },
}

function toPart(start: Start, { dateFrom, dateTo }: Pick<Plan, 'dateFrom' | 'dateTo'>): Part {
  const [kind, first] = start.split(' ') as [EndingKind, string]
  const [last, lastOfRange] = [addDays(kinds[kind].next(first), -1), addDays(dateTo, -1)]
  return { kind, from: first > dateFrom ? first : dateFrom, to: last < lastOfRange ? last : lastOfRange }
}

const mostListed = 3

function noteOf(parts: readonly Part[]): string {
  const units = [...new Set(parts.map(({ kind }) => `per ${kind}`))].join(' and ')
  const years = new Set(parts.flatMap(({ from, to }) => [from.slice(0, 4), to.slice(0, 4)]))
  const names = parts.map((part) => nameOf(part, years.size > 1))
  const [first, end] = [parts[0]?.from ?? '', parts.at(-1)?.to ?? '']
  const whole = `${parts.length} windows, ${nameOf({ from: first, to: end }, years.size > 1)}`
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
  const repeated = parts.length === 2 ? 'both counts twice' : 'several counts once in each'
  return `counted ${units}: ${parts.length > mostListed ? whole : listed}; a person who came in ${repeated}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `Oct 25–31`, `Oct 26 – Nov 1`, `Dec 31, 2025`. */
function nameOf({ from, to }: Pick<Part, 'from' | 'to'>, withYear: boolean): string {
  const month = (day: string) => months[Number(day.slice(5, 7)) - 1] ?? ''
  const date = (day: string) => `${month(day)} ${Number(day.slice(8))}`
  const year = (day: string) => (withYear ? `, ${day.slice(0, 4)}` : '')
  if (from === to) return `${date(from)}${year(to)}`
  if (from.slice(0, 7) === to.slice(0, 7)) return `${date(from)}–${Number(to.slice(8))}${year(to)}`
  return `${date(from)}${from.slice(0, 4) === to.slice(0, 4) ? '' : year(from)} – ${date(to)}${year(to)}`
}
