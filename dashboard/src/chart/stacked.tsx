// A stacked bar chart of humans and AI. For keyboards and screen readers it is a slider over the intervals, whose value is
// the numbers of one of them; a pointer shows the same.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { Bars } from './bars.tsx'
import { type Behind, foldMarks, indexAt, layOut, moveCursor, type Point } from './layout.ts'
import { type Mark, Marks } from './marks.tsx'
import { Tip } from './tip.tsx'
import { useWidth } from './use-width.ts'

type Props = {
  readonly name: string
  readonly points: readonly Point[]
  /** Below the bars: at most `labelWidth` pixels. */
  readonly tick: (date: string) => string
  /** Where there is room. */
  readonly label: (date: string) => string
  /** The last interval is not over. */
  readonly isOpen: boolean
  /** Undefined: the series is not compared. */
  readonly behind?: Behind | undefined
  readonly marks?: readonly Mark[]
  /** The marks that were chosen, below the chart. */
  readonly renderMarks?: (marks: readonly Mark[]) => ReactNode
}

const nothingBehind: Behind = new Map()
/** Pixels: WCAG 2.2 asks for 24. */
const leastBetweenMarks = 26

const labelWidth = 66
const exact = new Intl.NumberFormat('en')

export function StackedChart(props: Props) {
  const { name, points, tick, label, isOpen, behind, marks = [], renderMarks } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [chosen, setChosen] = useState<number>()
  const layout = layOut(points, width, labelWidth, behind)
  const folds = width > 0 ? foldMarks(marks, layout, leastBetweenMarks) : []
  const last = Math.max(0, points.length - 1)
  const cursor = chosen === undefined ? undefined : Math.min(chosen, last)
  const point = points[cursor ?? last]
  const title = point && `${label(point.date)}${isOpen && (cursor ?? last) === last ? ' (so far)' : ''}`
  const found = point && behind?.get(point.date)
  const other = found && { point: found, title: label(found.date) }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveCursor(event.key, cursor, points.length)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  const onPointer = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    setChosen(indexAt(clientX - currentTarget.getBoundingClientRect().left, layout.left, width, points.length))
  const chart = (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={cursor ?? last}
      aria-valuetext={point && `${title}: ${inWords(point)}${behind ? `; ${sayOther(other)}` : ''}`}
      className="relative h-60 cursor-default touch-pan-y rounded"
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setChosen(undefined)}
      onBlur={() => setChosen(undefined)}
    >
      {width > 0 && (
        <Bars
          {...{ points, layout, width, cursor, tick, isOpen }}
          behind={behind ?? nothingBehind}
          marked={folds.map(({ x }) => x)}
        />
      )}
      {cursor !== undefined && point && title !== undefined && (
        <Tip {...{ point, title, other, width }} at={(layout.x(point.date) ?? 0) + layout.x.bandwidth() / 2} />
      )}
    </div>
  )
  return renderMarks ? (
    <Marks folds={folds} render={renderMarks}>
      {chart}
    </Marks>
  ) : (
    chart
  )
}

type Other = { readonly point: Point; readonly title: string }

function sayOther(other: Other | undefined): string {
  return other ? `${other.title}: ${inWords(other.point)}` : 'nothing to compare with'
}

function inWords({ human, ai, total, earlier }: Point): string {
  if (earlier) return `${exact.format(earlier.visitors)} people in ${earlier.source}, nothing measured here`
  return `${exact.format(human)} humans, ${exact.format(ai)} AI, ${exact.format(total)} in all`
}
