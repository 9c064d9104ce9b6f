// A name in a table that filters: a link, so that it opens in a new tab, and works with keys.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FilterName, Filters } from '../../../api/visitors.ts'
import { changeView, readView } from '../address.ts'
import { readablePath } from '../format.ts'
import { isPlain, only, piecesOf, type Wanted } from './filters.ts'

const nouns: Readonly<Record<FilterName, string>> = {
  segment: 'segment',
  site: 'site',
  section: 'section',
  path: 'page',
  class: 'readers',
  agent: 'agent',
  operator: 'operator',
  referrer: 'referrer',
  representation: 'format',
  country: 'country',
  language: 'language',
  device: 'device',
  browser: 'browser',
  os: 'system',
  campaign: 'campaign',
}

type FilterLinkProps = {
  readonly wanted: (filters: Filters) => Wanted
  readonly label: string
  readonly title?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** Changes the filters; the token of a shared link, which is after the #, stays. */
export function FilterLink({ wanted, label, children, ...look }: FilterLinkProps) {
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => {
        const view = readView(before)
        return changeView(view, wanted(view))
      }}
      hash
      resetScroll={false}
      preload={false}
      activeOptions={{ exact: true }}
      aria-label={label}
      {...look}
    >
      {children}
    </Link>
  )
}

type OnlyProps = {
  readonly name: FilterName
  readonly value: string
  /** As it is shown. */
  readonly text?: string
  /** For screen readers: the whole name of what is shown in part. */
  readonly whole?: string
}

export function Only({ name, value, text = value, whole = text }: OnlyProps) {
  if (!isPlain(name, value)) return text
  const label = `Only the ${nouns[name]} ${whole}`
  return (
    <FilterLink
      wanted={(filters) => only(filters, name, value)}
      label={label}
      title={label}
      // Names are next to each other: 24 pixels are the smallest target of WCAG 2.2.
      className="inline-block max-h-[2lh] min-h-6 min-w-6 overflow-hidden rounded align-top break-all hover:text-accent hover:underline"
    >
      {text}
    </FilterLink>
  )
}

/** Each of its first segments filters by section, the last one by page. */
export function OnlyPath({ path }: { readonly path: string }) {
  const { sections, rest } = piecesOf(path)
  return (
    <span>
      {sections.map(({ text, section }) => (
        <Only key={section} name="section" value={section} text={readablePath(text)} whole={readablePath(section)} />
      ))}
      <Only name="path" value={path} text={readablePath(rest)} whole={readablePath(path)} />
    </span>
  )
}
