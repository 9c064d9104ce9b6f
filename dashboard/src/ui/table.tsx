// A table that scrolls sideways within itself on narrow screens.

import type { ReactNode } from 'react'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'right'
}

type Props<Row> = {
  /** Its name for screen readers. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function Table<Row>({ name, columns, rows, keyOf }: Props<Row>) {
  return (
    <div
      className="relative overflow-x-auto rounded-lg border border-line"
      tabIndex={0}
      role="region"
      aria-label={name}
    >
      <table className="w-full border-collapse text-left max-sm:w-max max-sm:min-w-full">
        <thead className="bg-sunken text-sm text-muted">
          <tr>
            {columns.map(({ head, align }) => (
              <th key={head} scope="col" className={`px-3 py-2 font-medium ${align === 'right' ? 'text-right' : ''}`}>
                {head === '' ? <span className="sr-only">Actions</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-t border-line">
              {columns.map(({ head, cell, align }) => (
                <td
                  key={head}
                  className={`px-3 py-2 align-top max-sm:max-w-72 ${align === 'right' ? 'text-right tabular-nums' : ''}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
