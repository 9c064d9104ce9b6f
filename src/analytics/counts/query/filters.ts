// The filters of a query: which page views it counts. Everything that is counted of page views is counted of these alone,
// so exports know nothing about filters. Pure, and loaded by the command line.

import { unknownValue, type ViewDimension, viewDimensions } from '../../dimensions/view-dimensions.ts'

export const filterNames = [
  'site',
  'section',
  'path',
  'class',
  'agent',
  'operator',
  'referrer',
  'representation',
  'language',
  'country',
  'device',
  'browser',
  'os',
  'campaign',
] as const
export type FilterName = (typeof filterNames)[number]

/** A filter for a dimension has its name. Titles have no filter: pages have one. */
export function isViewDimension(name: FilterName): name is Exclude<ViewDimension, 'title'> {
  return (viewDimensions as readonly string[]).includes(name)
}

/** Page views without a site or another value have an empty text. */
export function storedValue(value: string): string {
  return value === unknownValue ? '' : value
}

export const filterClasses = ['human', 'ai', 'neither'] as const

/** A page view has one of the values `any`, unless that is empty, and not one of the values `not`. */
export type Filter = { readonly name: FilterName; readonly any: readonly string[]; readonly not: readonly string[] }
/** A page view matches all of them, also several of one name. In the order of `filterNames`, with sorted values. */
export type Filters = readonly Filter[]

/** Values that begin with `!` are those that a page view may not have. */
export function toFilters(asked: Readonly<Partial<Record<FilterName, readonly string[]>>>): Filters {
  return filterNames.flatMap((name) => {
    const values = [...new Set(asked[name])].toSorted()
    const not = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1))
    const any = values.filter((value) => !value.startsWith('!'))
    return values.length === 0 ? [] : [{ name, any, not }]
  })
}

/** Page views match both. */
export function bothFilters(some: Filters, others: Filters): Filters {
  const all = new Map([...some, ...others].map((one) => [keyOfFilters([one]), one]))
  const placeOf = ({ name }: Filter) => filterNames.indexOf(name)
  return [...all]
    .toSorted(([a, one], [b, other]) => placeOf(one) - placeOf(other) || (a < b ? -1 : 1))
    .map(([, one]) => one)
}

/** The values as callers write them. */
export function valuesOfFilter({ any, not }: Filter): readonly string[] {
  return [...any, ...not.map((value) => `!${value}`)]
}

/** Equal for equal filters; empty without filters. */
export function keyOfFilters(filters: Filters): string {
  return filters.length === 0 ? '' : JSON.stringify(filters.map(({ name, any, not }) => [name, any, not]))
}

/** True if the path is in one of the sections: prefixes of whole segments. */
export function isInSection(path: string, sections: readonly string[]): boolean {
  return sections.some((section) => section === '/' || path === section || path.startsWith(`${section}/`))
}
