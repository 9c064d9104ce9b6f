// The legend of the chart of a series, and the same numbers as a table.

import type { ReactNode } from 'react'
import type { Point } from '../../../chart/layout.ts'
import { type Column, Table } from '../../../ui/table.tsx'
import { formatCount } from '../format.ts'

/** `children`: more names, after those of the bars. */
export function Legend({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 text-sm">
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm bg-human" /> Humans
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-sm bg-ai" /> AI
      </span>
      {children}
    </div>
  )
}

type Props = {
  readonly points: readonly Point[]
  /** `Date`: the head of the first column. */
  readonly head: string
  readonly label: (date: string) => string
  /** Columns after those of the series. */
  readonly more?: readonly Column<Point>[]
}

export function SeriesTable({ points, head, label, more }: Props) {
  return (
    <div className="max-h-[26rem] overflow-y-auto">
      <Table
        name="Visitors over time"
        keepsColumns
        rows={points}
        keyOf={({ date }) => date}
        columns={[
          { head, cell: ({ date }) => label(date) },
          { head: 'Humans', align: 'right', cell: ({ human }) => formatCount(human) },
          { head: 'AI', align: 'right', cell: ({ ai }) => formatCount(ai) },
          { head: 'All', align: 'right', cell: ({ total }) => formatCount(total) },
          ...(more ?? []),
        ]}
      />
    </div>
  )
}
