// The numbers of the interval under the cursor, on the side of it where there is more room. Screen readers get them from
// the chart itself.

import type { Point } from './layout.ts'

const exact = new Intl.NumberFormat('en')
const tipWidth = 208
const gap = 12

type Props = {
  readonly point: Point
  readonly title: string
  /** The same of the period that it is compared with. Undefined: there is nothing to compare with. */
  readonly other: { readonly point: Point; readonly title: string } | undefined
  /** The middle of the bar. */
  readonly at: number
  readonly width: number
}

export function Tip({ point, title, other, at, width }: Props) {
  const left = at > width / 2 ? at - tipWidth - gap : at + gap
  return (
    <div
      aria-hidden
      style={{ left: Math.max(0, Math.min(left, width - tipWidth)), width: tipWidth }}
      className="pointer-events-none absolute top-1 z-10 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-lg"
    >
      <Counts title={title} point={point} />
      {other && (
        <div className="mt-2 border-t border-line pt-2">
          <Counts {...other} />
        </div>
      )}
    </div>
  )
}

function Counts({ title, point }: Pick<Props, 'title' | 'point'>) {
  return (
    <>
      <div className="mb-1 font-medium">{title}</div>
      {rowsOf(point).map(({ name, count, swatch }) => (
        <div key={name} className="flex items-center gap-2">
          <span className={`size-2.5 rounded-sm ${swatch}`} />
          <span className="text-muted">{name}</span>
          <span className="ml-auto tabular-nums">{exact.format(count)}</span>
        </div>
      ))}
    </>
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
