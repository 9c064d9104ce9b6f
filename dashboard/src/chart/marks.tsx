// Marks above the bars of a chart: what happened in an interval. Each is a button that opens its list below the chart.

import { type ReactNode, useId, useState } from 'react'
import type { Fold } from './layout.ts'

/** `date`: that of the interval. */
export type Mark = { readonly id: string; readonly date: string; readonly name: string }

type Props = {
  readonly folds: readonly Fold<Mark>[]
  readonly render: (marks: readonly Mark[]) => ReactNode
  /** The chart. */
  readonly children: ReactNode
}

const halfButton = 12

export function Marks({ folds, render, children }: Props) {
  const [chosen, setChosen] = useState<string>()
  const list = useId()
  const open = folds.find(({ marks }) => marks.some(({ id }) => id === chosen))
  return (
    <div>
      <div className="relative">
        {children}
        {folds.map((fold) => {
          const [first] = fold.marks
          return (
            first && (
              <button
                key={first.id}
                type="button"
                aria-label={fold.marks.length === 1 ? first.name : `${fold.marks.length} × ${first.name}`}
                aria-expanded={fold === open}
                aria-controls={fold === open ? list : undefined}
                onKeyDown={({ key }) => key === 'Escape' && setChosen(undefined)}
                onClick={() => setChosen(fold === open ? undefined : first.id)}
                style={{ left: fold.x - halfButton }}
                className="absolute top-0 flex size-6 items-center justify-center rounded-full border border-strong-line bg-raised text-xs tabular-nums hover:bg-sunken aria-expanded:bg-accent-soft"
              >
                {fold.marks.length === 1 ? <span aria-hidden>◆</span> : fold.marks.length}
              </button>
            )
          )
        })}
      </div>
      <div id={list} role="status">
        {open && render(open.marks)}
      </div>
    </div>
  )
}
