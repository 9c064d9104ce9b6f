// The tiles of a range: visitors, page views, and page views per visitor, people and AI apart, each with the change against the days
// before. The page says below the tiles which days these are.

import type { Counts, PerWindow } from '../../api/visitors.ts'
import { formatChange, formatCount, formatRatio } from './format.ts'

const classes = [
  { key: 'human', name: 'Humans', swatch: 'bg-human' },
  { key: 'ai', name: 'AI', swatch: 'bg-ai' },
] as const

/** Undefined: they are on their way. */
export type Totals = { readonly visitors: Counts | undefined; readonly views: Counts | undefined }

type Props = {
  readonly now: Totals
  readonly perWindow: PerWindow
  /** Undefined: there is nothing to compare with. */
  readonly earlier: Totals | undefined
}

export function Tiles({ now, perWindow, earlier }: Props) {
  const note = perWindow && `counted per ${perWindow.window}`
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
      <Tile name="Visitors" now={now.visitors} earlier={earlier?.visitors} format={formatCount} note={note} />
      <Tile name="Page views" now={now.views} earlier={earlier?.views} format={formatCount} />
      <Tile
        name="Page views per visitor"
        now={perVisitor(now)}
        earlier={earlier && perVisitor(earlier)}
        format={formatRatio}
        note={note}
      />
    </dl>
  )
}

function perVisitor({ visitors, views }: Totals): Counts | undefined {
  if (!visitors || !views) return undefined
  const of = (key: keyof Counts) => (visitors[key] === 0 ? Number.NaN : views[key] / visitors[key])
  return { human: of('human'), ai: of('ai'), total: of('total') }
}

type TileProps = {
  readonly name: string
  readonly now: Counts | undefined
  readonly earlier: Counts | undefined
  readonly format: (count: number) => string
  readonly note?: string | null
}

function Tile({ name, now, earlier, format, note }: TileProps) {
  const change = (key: keyof Counts) =>
    now && earlier && <Change now={now[key]} earlier={earlier[key]} format={format} />
  return (
    <div className="min-w-0 bg-raised px-4 py-3">
      <dt className="flex flex-wrap gap-x-2 text-sm text-muted">
        {name}
        {note && <span>{note}</span>}
      </dt>
      <dd className="flex min-h-8 flex-wrap items-baseline gap-x-3 text-sm text-muted tabular-nums">
        {now && (
          <data value={now.total} className="text-2xl font-semibold text-text">
            {format(now.total)}
          </data>
        )}
        <span>{change('total')}</span>
      </dd>
      <dd className="mt-1 flex min-h-5 flex-wrap gap-x-4 text-sm tabular-nums sm:min-h-10 sm:flex-col">
        {now &&
          classes.map(({ key, name: of, swatch }) => (
            <span key={key} className="flex items-baseline gap-x-1.5">
              <span aria-hidden className={`size-2.5 rounded-sm ${swatch}`} />
              <span className="text-muted">{of}</span>
              <data value={now[key]}>{format(now[key])}</data>
              <span className="hidden text-muted sm:inline">{change(key)}</span>
            </span>
          ))}
      </dd>
    </div>
  )
}

type ChangeProps = { readonly now: number; readonly earlier: number; readonly format: (count: number) => string }

function Change({ now, earlier, format }: ChangeProps) {
  if (Number.isNaN(now) || Number.isNaN(earlier)) return undefined
  const change = formatChange(now, earlier)
  return (
    <>
      {change !== undefined && <span className="font-medium text-text">{change} </span>}
      from {format(earlier)}
    </>
  )
}
