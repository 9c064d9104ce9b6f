// Counters under a filter, made of other counters of the same window: a page or a section is a scope of its own, the pages of
// a section are some of the pages, and people are one of the numbers of each counter. Pure; no rows are read.

import {
  type Filter,
  type FilterName,
  type Filters,
  isInSection,
  isViewDimension,
  storedValue,
} from '../../query/filters.ts'
import { type ViewDimension, viewDimensions } from '../../../dimensions/view-dimensions.ts'
import { mostSections, mostSegments } from '../count-rows.ts'
import { type Counters, selectClasses, selectScopes, type WindowCounters } from '../counters.ts'
import type { Dimension } from '../dimensions.ts'

/** The number of each value of a dimension. */
export type Numbers = (dimension: Dimension) => ReadonlyMap<string, number>

type Source = { readonly counters: WindowCounters; readonly numbers: Numbers }

/** The dimensions whose counters have people and AI agents apart. */
const withClasses: ReadonlySet<Dimension> = new Set([
  'site',
  'page',
  'page_views',
  'of_site',
  'page_of_site',
  'section',
  ...viewDimensions,
])

/** The path in a value of a dimension. */
const pathIn: Partial<Readonly<Record<Dimension, (value: string) => string>>> = {
  page: (value) => value,
  page_views: (value) => value,
  agent_views: (value) => value.slice(value.lastIndexOf('\n') + 1),
}

/** The filters that the counters of a dimension must be made for: without those that `derive` applies to any counters. */
export function remaining(filters: Filters, dimension: Dimension): Filters {
  return filters.filter(({ name }) => !(name === 'class' && withClasses.has(dimension)) && !isOfPaths(name, dimension))
}

function isOfPaths(name: Filter['name'], dimension: Dimension): boolean {
  return (name === 'section' || name === 'path') && pathIn[dimension] !== undefined
}

/** The dimensions without filters that `derive` reads. */
export function basesOf(filters: Filters, dimension: Dimension): readonly Dimension[] {
  const [first, ...others] = remaining(filters, dimension)
  if (first === undefined) return [dimension]
  const value = others.length === 0 ? onlyValue(first) : undefined
  if (value === undefined) return []
  if (dimension === 'site' && first.name === 'path') return ['page']
  if (dimension === 'site' && first.name === 'section') return ['section', 'page']
  if (dimension === 'site' && first.name === 'site') return ['of_site']
  if (dimension === 'site' && isOneValue(first.name)) return [first.name]
  return dimension === 'page' && first.name === 'site' ? ['of_site', 'page_of_site', 'page'] : []
}

/**
 * `kept`: the counters of a dimension under the filters that remain. Undefined: the counters of the window do not say how
 * many there are.
 */
export function derive(source: Source, filters: Filters, dimension: Dimension, kept?: Counters): Counters | undefined {
  const made = kept ?? scopeOf(source, remaining(filters, dimension), dimension)
  if (made === undefined) return undefined
  const classes = withClasses.has(dimension) ? filters.filter(({ name }) => name === 'class') : []
  const ofClass = (name: string) => classes.every((one) => matches(name, one, (a, b) => b.includes(a)))
  const some = selectClasses(made, { human: ofClass('human'), ai: ofClass('ai') })
  const paths = filters.filter(({ name }) => isOfPaths(name, dimension))
  const pathOf = pathIn[dimension]
  if (pathOf === undefined || paths.length === 0) return ofClass('human') || ofClass('ai') ? some : nothing(made)
  const isKept = (value: string) => paths.every((filter) => matches(pathOf(value), filter, matcherOf(filter)))
  const values = source.numbers(dimension)
  const numbers = new Int32Array(values.size).fill(-1)
  for (const [value, number] of values) if (isKept(value)) numbers[number] = number
  return ofClass('human') || ofClass('ai') ? selectScopes(some, numbers) : nothing(made)
}

function matches(value: string, { any, not }: Filter, isOneOf: (value: string, of: readonly string[]) => boolean) {
  return (any.length === 0 || isOneOf(value, any)) && !isOneOf(value, not)
}

function matcherOf({ name }: Filter): (path: string, of: readonly string[]) => boolean {
  return name === 'section' ? isInSection : (path, of) => of.includes(path)
}

function onlyValue({ any: [value, ...others], not }: Filter): string | undefined {
  return others.length === 0 && not.length === 0 ? value : undefined
}

/** The counters under one filter with one value that are those of a scope, or of the pages of one. */
function scopeOf(source: Source, filters: Filters, dimension: Dimension): Counters | undefined {
  const { counters } = source
  const [first, ...others] = filters
  if (first === undefined) return counters[dimension]
  const value = others.length === 0 ? onlyValue(first) : undefined
  if (value === undefined) return undefined
  const one = (of: Dimension, scope: string) => ofScope(source, of, scope)
  if (dimension === 'site' && first.name === 'path') return one('page', value)
  if (dimension === 'site' && first.name === 'site') return one('of_site', storedValue(value))
  if (dimension === 'site' && isOneValue(first.name)) return one(first.name, storedValue(value))
  if (dimension === 'page' && first.name === 'site') return pagesOfSite(source, storedValue(value))
  if (dimension !== 'site' || first.name !== 'section' || !counters.section) return undefined
  if (value === '/') return counters.site
  const found = one('section', value)
  if (!found || found.length > 0) return found
  // A section that is not among them has no page but that of its path, unless there are too many.
  const isWhole = countScopes(counters.section) < mostSections && value.split('/').length <= mostSegments + 1
  return isWhole ? one('page', value) : undefined
}

/** A campaign matches by its parts. */
function isOneValue(name: FilterName): name is Exclude<ViewDimension, 'campaign' | 'title'> {
  return name !== 'campaign' && isViewDimension(name)
}

function ofScope({ counters, numbers }: Source, dimension: Dimension, value: string): Counters | undefined {
  const some = counters[dimension]
  const number = numbers(dimension).get(value)
  if (!some) return undefined
  const places = new Int32Array(numbers(dimension).size).fill(-1)
  if (number !== undefined) places[number] = 0
  return selectScopes(some, places)
}

function pagesOfSite(source: Source, site: string): Counters | undefined {
  const { counters, numbers } = source
  const { of_site: sites, page_of_site: pages, page } = counters
  if (!sites || !pages || !page) return undefined
  const number = numbers('of_site').get(site)
  const found = new Set(sites.scope.subarray(0, sites.length))
  if (found.size <= 1) return number !== undefined && found.has(number) ? page : nothing(page)
  const [values, pageNumbers] = [numbers('page_of_site'), numbers('page')]
  const places = new Int32Array(values.size).fill(-1)
  for (const [value, at] of values) {
    if (value.startsWith(`${site}\n`)) places[at] = pageNumbers.get(value.slice(site.length + 1)) ?? -1
  }
  return selectScopes(pages, places)
}

function countScopes({ scope, length }: Counters): number {
  return new Set(scope.subarray(0, length)).size
}

function nothing(like: Counters): Counters {
  return selectScopes(like, new Int32Array(0))
}
