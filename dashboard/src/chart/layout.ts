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

export const height = 240
export const bottom = 24
const top = 8
const letter = 7
const compact = new Intl.NumberFormat('en', { notation: 'compact' })

export type Layout = ReturnType<typeof layOut>

export function layOut(points: readonly Point[], width: number, labelWidth: number) {
  // A visitor who is both counts once in the total, so the stack can be higher than the total.
  const most = Math.max(1, ...points.map(({ human, ai, earlier }) => Math.max(human + ai, earlier?.visitors ?? 0)))
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
