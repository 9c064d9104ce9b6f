// Divides days into slices, so that each statement over the rows of one reads few of them. Pure.

import { inPortions } from './portions.ts'

/** Days since 1970. */
export type DayRows = { readonly day: number; readonly rows: number }

/** From a day to the one before `to`. One day may have more rows than a slice should. */
export type DaySlice = { readonly from: number; readonly to: number; readonly rows: number }

/** `days` are in order. Rows of page views are sorted by day, so a slice of days reads few others. */
export function toSlices(days: readonly DayRows[], mostRows: number): readonly DaySlice[] {
  return inPortions(days, ({ rows }) => rows, mostRows).map(({ items, size }) => {
    const [first, last] = [items[0]?.day ?? 0, items.at(-1)?.day ?? 0]
    return { from: first, to: last + 1, rows: size }
  })
}
