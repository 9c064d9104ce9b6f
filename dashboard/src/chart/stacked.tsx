// A stacked bar chart of humans and AI. For keyboards and screen readers it is a slider over the intervals, whose value is
// the numbers of one of them; a pointer shows the same.

import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Bars } from './bars.tsx'
import { indexAt, layOut, moveCursor, type Point } from './layout.ts'
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
}

const labelWidth = 66
const exact = new Intl.NumberFormat('en')

export function StackedChart({ name, points, tick, label, isOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [chosen, setChosen] = useState<number>()
  const layout = layOut(points, width, labelWidth)
  const last = Math.max(0, points.length - 1)
  const cursor = chosen === undefined ? undefined : Math.min(chosen, last)
  const point = points[cursor ?? last]
  const title = point && `${label(point.date)}${isOpen && (cursor ?? last) === last ? ' (so far)' : ''}`
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveCursor(event.key, cursor, points.length)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }
  const onPointer = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    setChosen(indexAt(clientX - currentTarget.getBoundingClientRect().left, layout.left, width, points.length))
  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={cursor ?? last}
      aria-valuetext={point && `${title}: ${inWords(point)}`}
      className="relative h-60 cursor-default touch-pan-y rounded"
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setChosen(undefined)}
      onBlur={() => setChosen(undefined)}
    >
      {width > 0 && <Bars {...{ points, layout, width, cursor, tick, isOpen }} />}
      {cursor !== undefined && point && title !== undefined && (
        <Tip point={point} title={title} at={(layout.x(point.date) ?? 0) + layout.x.bandwidth() / 2} width={width} />
      )}
    </div>
  )
}

function inWords({ human, ai, total, earlier }: Point): string {
  if (earlier) return `${exact.format(earlier.visitors)} people in ${earlier.source}, nothing measured here`
  return `${exact.format(human)} humans, ${exact.format(ai)} AI, ${exact.format(total)} in all`
}
