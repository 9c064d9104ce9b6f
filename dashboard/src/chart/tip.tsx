// The numbers of the interval under the cursor, on the side of it where there is more room. Screen readers get them from
// the chart itself.

import type { Point } from './layout.ts'

const exact = new Intl.NumberFormat('en')
const tipWidth = 208
const gap = 12

type Props = {
  readonly point: Point
  readonly title: string
  /** The middle of the bar. */
  readonly at: number
  readonly width: number
}

export function Tip({ point, title, at, width }: Props) {
  const rows = rowsOf(point)
  const left = at > width / 2 ? at - tipWidth - gap : at + gap
  return (
    <div
      aria-hidden
      style={{ left: Math.max(0, Math.min(left, width - tipWidth)), width: tipWidth }}
      className="pointer-events-none absolute top-1 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-lg"
    >
      <div className="mb-1 font-medium">{title}</div>
      {rows.map(({ name, count, swatch }) => (
        <div key={name} className="flex items-center gap-2">
          <span className={`size-2.5 rounded-sm ${swatch}`} />
          <span className="text-muted">{name}</span>
          <span className="ml-auto tabular-nums">{exact.format(count)}</span>
        </div>
      ))}
    </div>
  )
}

function rowsOf({ human, ai, total, earlier }: Point) {
  if (earlier) return [{ name: earlier.source, count: earlier.visitors, swatch: 'bg-strong-line' }]
  return [
    { name: 'Humans', count: human, swatch: 'bg-human' },
    { name: 'AI', count: ai, swatch: 'bg-ai' },
    { name: 'All', count: total, swatch: '' },
  ]
}
