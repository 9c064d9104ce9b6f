// Where the parts of the chart are: bars, ticks and their labels, for a width in pixels. Pure.

import { scaleBand, scaleLinear } from '@visx/scale'

export type Point = {
  readonly date: string
  readonly human: number
  readonly ai: number
  readonly total: number
  /** The count of another tool, where nothing was measured here. */
  readonly earlier?: { readonly visitors: number; readonly source: string }
}

/** By the date of a point: the point of the period that it is compared with. */
export type Behind = ReadonlyMap<string, Point>

export const height = 240
export const bottom = 24
const top = 8
const letter = 7
const compact = new Intl.NumberFormat('en', { notation: 'compact' })

export type Layout = ReturnType<typeof layOut>

export function layOut(points: readonly Point[], width: number, labelWidth: number, behind: Behind = new Map()) {
  const most = Math.max(1, ...points.map(heightOf), ...[...behind.values()].map(heightOf))
  const y = scaleLinear({ domain: [0, most], range: [height - bottom, top], nice: 4 })
  const ticks = y
    .ticks(4)
    .filter((tick) => Number.isInteger(tick))
    .map((value) => ({ value, text: compact.format(value), y: y(value) }))
  const left = 10 + letter * Math.max(...ticks.map(({ text }) => text.length))
  const x = scaleBand({
    domain: points.map(({ date }) => date),
    range: [left, width],
    padding: points.length > 40 ? 0.15 : 0.25,
  })
  const step = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(1, width - left)))
  // The last interval is the one that people look for: labels are counted from it.
  const labels = points
    .map(({ date }, index) => ({ date, index, x: (x(date) ?? 0) + x.bandwidth() / 2 }))
    .filter(({ index }) => (points.length - 1 - index) % step === 0)
    .filter(({ x: at }) => at >= left + labelWidth / 3)
  return { x, y, ticks, left, labels }
}

/** The point below a place; undefined beside the bars. */
export function indexAt(place: number, left: number, width: number, count: number): number | undefined {
  if (place < left || place > width || count === 0) return undefined
  return Math.min(count - 1, Math.floor(((place - left) / (width - left)) * count))
}

/** The point after a key; undefined for a key that the chart does not use. Without a cursor, it begins at the last point. */
export function moveCursor(key: string, at: number | undefined, count: number): number | undefined {
  const last = count - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: (at ?? count) - 1,
    ArrowDown: (at ?? count) - 1,
    ArrowRight: (at ?? last) + 1,
    ArrowUp: (at ?? last) + 1,
    PageUp: (at ?? last) + 7,
    PageDown: (at ?? last) - 7,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.max(0, Math.min(last, next))
}

/** A visitor who is both counts once in the total, so the stack can be higher than the total. */
/** A visitor who is both counts once in the total, so the stack can be higher than the total. */
function heightOf({ human, ai, earlier }: Point): number {
  return Math.max(human + ai, earlier?.visitors ?? 0)
}

type Place = { readonly x: number; readonly y: number }

/** The line through the tops that the bars of the other period would have: a part for each run of points that have one. */
export function lineOf(
  points: readonly Point[],
  behind: Behind,
  { x, y }: Pick<Layout, 'x' | 'y'>,
): readonly (readonly Place[])[] {
  const parts: Place[][] = [[]]
  for (const { date } of points) {
    const other = behind.get(date)
    if (other) parts.at(-1)?.push({ x: (x(date) ?? 0) + x.bandwidth() / 2, y: y(heightOf(other)) })
    else parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

type Placed = { readonly date: string }
export type Fold<Mark> = { readonly x: number; readonly marks: readonly Mark[] }

/** Each mark above its bar. Marks that are nearer to each other than a finger fold into one, above the first of them. */
export function foldMarks<Mark extends Placed>(
  marks: readonly Mark[],
  { x }: Pick<Layout, 'x'>,
  least: number,
): readonly Fold<Mark>[] {
  const placed = marks.flatMap((mark) => {
    const start = x(mark.date)
    return start === undefined ? [] : [{ mark, middle: start + x.bandwidth() / 2 }]
  })
  const folds: { x: number; marks: Mark[] }[] = []
  for (const { mark, middle } of placed.toSorted((a, b) => a.middle - b.middle)) {
    const last = folds.at(-1)
    if (last && middle - last.x < least) last.marks.push(mark)
    else folds.push({ x: middle, marks: [mark] })
  }
  return folds
}
