// A table. On narrow screens each row is a card, whose first cell is its title: columns would be out of sight. A table of
// numbers keeps its columns.

import type { ReactNode } from 'react'
import { cn } from './cn.ts'

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
  /** On narrow screens, too. */
  readonly keepsColumns?: boolean
}

/** On narrow screens. The name of a column is before each of its values. */
const card = {
  table: 'max-sm:block',
  head: 'max-sm:sr-only',
  body: 'max-sm:block',
  row: 'max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:px-3 max-sm:py-2.5 max-sm:first:border-t-0',
  cell: 'max-sm:flex max-sm:items-baseline max-sm:gap-3 max-sm:p-0 max-sm:text-left max-sm:has-[>div:empty]:hidden',
  named:
    'max-sm:before:w-20 max-sm:before:shrink-0 max-sm:before:text-sm max-sm:before:text-muted max-sm:before:content-[attr(data-head)]',
} as const

export function Table<Row>({ name, columns, rows, keyOf, keepsColumns = false }: Props<Row>) {
  const look: Partial<typeof card> = keepsColumns ? {} : card
  return (
    // A group is no landmark: the section around a table often has the same name.
    <div className="relative overflow-x-auto rounded-lg border border-line" tabIndex={0} role="group" aria-label={name}>
      <table aria-label={name} className={cn('w-full border-collapse text-left', look.table)}>
        <thead className={cn('bg-sunken text-sm text-muted', look.head)}>
          <tr>
            {columns.map(({ head, align }) => (
              <th key={head} scope="col" className={cn('px-3 py-2 font-medium', align === 'right' && 'text-right')}>
                {head === '' ? <span className="sr-only">Actions</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={look.body}>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={cn('border-t border-line', look.row)}>
              {columns.map(({ head, cell, align }, at) => (
                <td
                  key={head}

                  data-head={head}
                  className={cn(
                    'px-3 py-2 align-top',
                    align === 'right' && 'text-right tabular-nums',
                    look.cell,
                    at > 0 && head !== '' && look.named,
                  )}
                >
                  <div className="min-w-0">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
