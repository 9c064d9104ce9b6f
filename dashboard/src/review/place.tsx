// A place in the documentation. It leads to the line in the change below when the change has the file.

import { Link } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { toAt } from './at.ts'
import { plain } from './words.ts'

type Change = {
  /** Whether the change has the file. */
  readonly has: (path: string) => boolean
  /** A place that is in the address already was chosen again. */
  readonly again: (at: string) => void
  /** The view of the page that shows the change, if the page has several. */
  readonly view?: 'changes'
}

/** The change that the page shows. */
export const ShownChange = createContext<Change>({ has: () => false, again: () => undefined })

type Props = { readonly path: string; readonly line: number | null; readonly isBefore?: boolean }

export function PlaceLink({ path, line, isBefore = false }: Props) {
  const { has, again, view } = useContext(ShownChange)
  const text = `${plain(path)}${line === null ? '' : `:${line}`}`
  const style = 'font-mono text-[0.8125rem] wrap-anywhere'
  if (isBefore || !has(path)) return <bdi className={style}>{text}</bdi>
  const at = toAt({ path, line: line ?? 0 })
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, ...(view && { view }), at })}
      replace
      resetScroll={false}
      onClick={() => again(at)}
      className={`${style} text-accent underline underline-offset-2`}
    >
      <bdi>{text}</bdi>
    </Link>
  )
}
