// The filters of a query: which page views it counts. Everything that is counted of page views is counted of these alone,
// so exports know nothing about filters. Pure: filters → SQL, and texts that are equal for equal filters.

import type { Params } from '../../../clickhouse/query.ts'
import { partsOfCampaign } from '../../dimensions/campaign-parts.ts'
import { hostsOfSites, isOfSites } from './referrer-sites.ts'
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

/** A condition for rows, which begins with ` AND`. `classOf`: 1: human, 2: AI, 0: neither, in SQL. */
export function conditionOf(filters: Filters, classOf: string): string {
  return filters
    .flatMap(({ name, any, not }, at) => [
      any.length > 0 ? ` AND ${matches(name, classOf, `any${at}`, any)}` : '',
      not.length > 0 ? ` AND NOT ${matches(name, classOf, `not${at}`, not)}` : '',
    ])
    .join('')
}

/** The parameters of `conditionOf`. */
export function paramsOfFilters(filters: Filters): Params {
  return Object.fromEntries(
    filters.flatMap(({ name, any, not }, at) => [
      ...toParams(name, `any${at}`, any),
      ...toParams(name, `not${at}`, not),
    ]),
  )
}

function matches(name: FilterName, classOf: string, param: string, values: readonly string[]): string {
  const oneOf = (column: string) => `(${column} IN {${param}:Array(String)})`
  if (name === 'section') {
    const within = values.map((_, at) => `startsWith(path, {${param}_${at}:String})`)
    return `(path IN {${param}:Array(String)} OR ${within.join(' OR ')})`
  }
  if (name === 'class') {
    const numbers: Readonly<Record<string, number>> = { human: 1, ai: 2, neither: 0 }
    return `(${classOf} IN (${values.map((value) => numbers[value] ?? -1).join(', ')}))`
  }
  if (name === 'referrer') return `(referrer != '' AND ${isOfSites('referrer', values, param)})`
  if (isViewDimension(name) && name !== 'campaign') return oneOf(name)
  if (name === 'campaign') {
    const some = values.map((value, at) =>
      value === unknownValue
        ? `campaign = ''`
        : `hasAll(splitByChar('&', toString(campaign)), {${param}_${at}:Array(String)})`,
    )
    return `(${some.join(' OR ')})`
  }
  return oneOf({ site: 'site_id', path: 'path', agent: 'agent', operator: 'operator', representation }[name])
}

const representation = 'toString(representation)'

function toParams(name: FilterName, param: string, values: readonly string[]): readonly (readonly [string, unknown])[] {
  if (values.length === 0 || name === 'class') return []
  if (name === 'campaign') {
    return values.flatMap((value, at) =>
      value === unknownValue ? [] : [[`${param}_${at}`, partsOfCampaign(value)] as const],
    )
  }
  if (name === 'referrer') return [[param, hostsOfSites(values)]]
  if (name === 'site' || isViewDimension(name)) return [[param, values.map(storedValue)]]
  if (name !== 'section') return [[param, values]]
  return [[param, values], ...values.map((value, at) => [`${param}_${at}`, value === '/' ? '/' : `${value}/`] as const)]
}
