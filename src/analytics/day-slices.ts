// Divides days into slices, so that each statement over the rows of one reads few of them. Pure.

/** Days since 1970. */
export type DayRows = { readonly day: number; readonly rows: number }

/** From a day to the one before `to`. One day may have more rows than a slice should. */
export type DaySlice = { readonly from: number; readonly to: number; readonly rows: number }

/** `days` are in order. Rows of page views are sorted by day, so a slice of days reads few others. */
export function toSlices(days: readonly DayRows[], mostRows: number): readonly DaySlice[] {
  const slices: DaySlice[] = []
  for (const { day, rows } of days) {
    const last = slices.at(-1)
    if (last && last.rows + rows <= mostRows)
      slices[slices.length - 1] = { ...last, to: day + 1, rows: last.rows + rows }
    else slices.push({ from: day, to: day + 1, rows })
  }
  return slices
}
