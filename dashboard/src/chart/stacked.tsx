// A stacked bar chart of humans and AI over days, weeks or months: read with the arrow keys, and a table for who cannot
// see it.

import { scaleBand, scaleLinear } from '@visx/scale'
import { type KeyboardEvent, useState } from 'react'

export type Point = { readonly date: string; readonly human: number; readonly ai: number; readonly total: number }

type Props = { readonly points: readonly Point[]; readonly label: (date: string) => string }

const width = 900
const height = 220
const left = 44
const bottom = 22
const numbers = new Intl.NumberFormat('en', { notation: 'compact' })
const exact = new Intl.NumberFormat('en')

export function StackedChart({ points, label }: Props) {
  const [chosen, setChosen] = useState<number>()
  const x = scaleBand({ domain: points.map(({ date }) => date), range: [left, width], padding: 0.2 })
  // A visitor who is both counts once in the total, so the stack is as high as the sum of its parts.
  const most = Math.max(1, ...points.map(({ human, ai }) => human + ai))
  const y = scaleLinear({ domain: [0, most], range: [height - bottom, 6], nice: true })
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setChosen((now) => Math.max(0, Math.min(points.length - 1, (now ?? (step > 0 ? -1 : points.length)) + step)))
  }
  const point = chosen === undefined ? undefined : points[chosen]
  return (
    <figure className="m-0">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="w-full"
        role="img"
        aria-label={`Visitors from ${label(points[0]?.date ?? '')} to ${label(points.at(-1)?.date ?? '')}. The arrow keys read the values.`}
        tabIndex={0}
        onKeyDown={move}
        onMouseLeave={() => setChosen(undefined)}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={left - 6} y={y(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
              {numbers.format(tick)}
            </text>
          </g>
        ))}
        {points.map(({ date, human, ai }, index) => {
          const at = x(date) ?? 0
          return (
            <g key={date} onMouseEnter={() => setChosen(index)} className={chosen === index ? 'opacity-75' : ''}>
              <rect x={at} width={x.bandwidth()} y={6} height={height - bottom - 6} className="fill-transparent" />
              <rect x={at} width={x.bandwidth()} y={y(human)} height={y(0) - y(human)} className="fill-human" />
              <rect
                x={at}
                width={x.bandwidth()}
                y={y(human + ai)}
                height={y(human) - y(human + ai)}
                className="fill-ai"
              />
            </g>
          )
        })}
        {points.map(({ date }, index) =>
          index % Math.ceil(points.length / 8) === 0 ? (
            <text key={date} x={x(date)} y={height - 6} className="fill-muted text-[11px]">
              {label(date)}
            </text>
          ) : null,
        )}
      </svg>
      <figcaption className="flex flex-wrap gap-x-4 text-sm" aria-live="polite">
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="size-3 rounded-sm bg-human" /> Humans
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="size-3 rounded-sm bg-ai" /> AI
        </span>
        {point && (
          <span className="text-muted">
            {label(point.date)}: {exact.format(point.human)} humans, {exact.format(point.ai)} AI
          </span>
        )}
      </figcaption>
    </figure>
  )
}
