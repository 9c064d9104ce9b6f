// The filters of a query in SQL: a condition for rows, and its parameters.

import type { Params } from '../../../clickhouse/query.ts'
import { partsOfCampaign } from '../../dimensions/campaign-parts.ts'
import { unknownValue } from '../../dimensions/view-dimensions.ts'
import { type FilterName, type Filters, isViewDimension, storedValue } from './filters.ts'
import { hostsOfSites, isOfSites } from './referrer-sites.ts'

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
