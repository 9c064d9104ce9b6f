// A table of names and their numbers. Columns may sort it; a bar shows how humans and AI share in a row.

import { Fragment, type ReactNode } from 'react'

export type NumberColumn<Row> = {
  readonly head: string
  readonly value: (row: Row) => ReactNode
  /** Sorts by this column; the caller sorts. */
  readonly onSort?: () => void
  readonly isSorted?: boolean
}

export type Group<Row> = {
  readonly name: string
  /** Instead of the name. */
  readonly label?: ReactNode
  readonly about?: string
  readonly rows: readonly Row[]
}

type Props<Row> = {
  /** For screen readers. */
  readonly name: string
  /** Over the names. */
  readonly head: string
  /** A group without a name has no heading. */
  readonly groups: readonly Group<Row>[]
  readonly keyOf: (row: Row) => string
  readonly label: (row: Row) => ReactNode
  readonly bar?: (row: Row) => { readonly human: number; readonly ai: number }
  readonly columns: readonly NumberColumn<Row>[]
  /** Below a row, over all columns. */
  readonly details?: ((row: Row) => ReactNode) | undefined
}

export function Ranking<Row>({ name, head, groups, keyOf, label, bar, columns, details }: Props<Row>) {
  const most = Math.max(1, ...groups.flatMap(({ rows }) => rows.map((row) => sum(bar?.(row)))))
  return (
    <div className="overflow-x-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={name}>
      <table aria-label={name} className="w-full border-collapse text-left">
        <thead className="bg-sunken text-sm text-muted">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              {head}
            </th>
            {columns.map((column) => (
              <NumberHead key={column.head} {...column} />
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.name}>
            {group.name !== '' && (
              <tr className="border-t border-line">
                <th scope="rowgroup" colSpan={columns.length + 1} className="px-3 pt-3 pb-1 text-sm font-semibold">
                  {group.label ?? group.name}
                  {group.about !== undefined && <span className="font-normal text-muted"> {group.about}</span>}
                </th>
              </tr>
            )}
            {group.rows.map((row) => (
              <Fragment key={keyOf(row)}>
                <tr className="border-t border-line">
                  <th scope="row" className="min-w-36 px-3 py-1.5 align-top font-normal max-sm:w-full">
                    {label(row)}
                    {bar && <Bar {...bar(row)} most={most} />}
                  </th>
                  {columns.map((column) => (
                    <td key={column.head} className="px-2 py-1.5 text-right align-top tabular-nums sm:px-3">
                      {column.value(row)}
                    </td>
                  ))}
                </tr>
                {details && <Details columns={columns.length + 1}>{details(row)}</Details>}
              </Fragment>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function Details({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  return (
    children !== undefined && (
      <tr>
        <td colSpan={columns} className="bg-sunken px-3 py-3">
          {children}
        </td>
      </tr>
    )
  )
}

function NumberHead<Row>({ head, onSort, isSorted = false }: NumberColumn<Row>) {
  const text = 'px-2 py-2 text-right font-medium sm:px-3'
  if (onSort === undefined)
    return (
      <th scope="col" className={text}>
        {head}
      </th>
    )
  return (
    <th scope="col" aria-sort={isSorted ? 'descending' : undefined} className={text}>
      <button
        type="button"
        onClick={onSort}
        title={isSorted ? undefined : `Sort by ${head}, largest first`}
        className={`cursor-pointer rounded whitespace-nowrap hover:text-text ${isSorted ? 'font-semibold text-text' : ''}`}
      >
        {isSorted && <span aria-hidden>↓ </span>}
        {head}
      </button>
    </th>
  )
}

function Bar({ human, ai, most }: { readonly human: number; readonly ai: number; readonly most: number }) {
  const part = (count: number) => ({ width: `${(100 * count) / most}%` })
  return (
    <div aria-hidden className="mt-1 flex h-1 gap-px">
      {human > 0 && <div style={part(human)} className="rounded-full bg-human" />}
      {ai > 0 && <div style={part(ai)} className="rounded-full bg-ai" />}
    </div>
  )
}

function sum(counts: { readonly human: number; readonly ai: number } | undefined): number {
  return counts === undefined ? 0 : counts.human + counts.ai
}
