// The totals of a range, with the change against as many days before, and a sentence that says which days these are.

import type { Counts, RangeTotals } from '../../api/visitors.ts'
import { formatChange, formatCount } from './format.ts'

const parts = [
  { key: 'total', name: 'All visitors', swatch: '' },
  { key: 'human', name: 'Humans', swatch: 'bg-human' },
  { key: 'ai', name: 'AI', swatch: 'bg-ai' },
] as const

type Props = {
  readonly now: RangeTotals
  /** Undefined: they are on their way, or there is nothing to compare with. */
  readonly earlier: Counts | undefined
}

export function Totals({ now: { totals: now, perWindow }, earlier }: Props) {
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
      {parts.map(({ key, name, swatch }) => (
        <div key={key} className="flex min-w-0 flex-wrap items-baseline gap-x-3 bg-raised px-4 py-3 sm:block">
          <dt className="flex w-24 items-center gap-1.5 text-sm text-muted sm:w-auto">
            {swatch !== '' && <span aria-hidden className={`size-2.5 rounded-sm ${swatch}`} />}
            {name}
          </dt>
          <dd className="text-2xl font-semibold tabular-nums">{formatCount(now[key])}</dd>
          {perWindow && <dd className="text-sm text-muted">counted per {perWindow.window}</dd>}
          <dd className="min-h-5 text-sm text-muted tabular-nums">
            {earlier && <Change now={now[key]} earlier={earlier[key]} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ now, earlier }: { readonly now: number; readonly earlier: number }) {
  const change = formatChange(now, earlier)
  return (
    <>
      {change !== undefined && <span className="font-medium text-text">{change} </span>}
      from {formatCount(earlier)}
    </>
  )
}
