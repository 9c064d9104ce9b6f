// The filters of the statistics: which page views count. They are in the address as the API takes them. Values that the API
// would refuse are left out. Pure.

import type { FilterName, Filters, Reader } from '../../../api/visitors.ts'

export const filterNames = [
  'segment',
  'site',
  'section',
  'path',
  'class',
  'agent',
  'operator',
  'referrer',
  'representation',
  'country',
  'language',
  'device',
  'browser',
  'os',
  'campaign',
] as const satisfies readonly FilterName[]

/** The value of page views whose site, country or other value is not known. */
export const unknownValue = 'unknown'

/** The API refuses the others to shared links, also in a segment: rare values could say who somebody is. */
const ofShares: readonly FilterName[] = ['segment', 'site', 'section', 'path', 'class']

export const filterLabels: Readonly<Record<FilterName, string>> = {
  segment: 'Segment',
  site: 'Site',
  section: 'Section',
  path: 'Page',
  class: 'Readers',
  agent: 'Agent',
  operator: 'Operator',
  referrer: 'Referrer',
  representation: 'Format',
  country: 'Country',
  language: 'Language',
  device: 'Device',
  browser: 'Browser',
  os: 'System',
  campaign: 'Campaign',
}

type Choices = readonly { readonly value: string; readonly label: string }[]

/** Filters with few values. */
export const filterChoices: Partial<Readonly<Record<FilterName, Choices>>> = {
  class: [
    { value: 'human', label: 'Humans' },
    { value: 'ai', label: 'AI' },
    { value: 'neither', label: 'Tools' },
  ],
  representation: [
    { value: 'html', label: 'HTML' },
    { value: 'markdown', label: 'Markdown' },
  ],
  device: [
    { value: 'desktop', label: 'Desktop' },
    { value: 'mobile', label: 'Mobile' },
    { value: 'tablet', label: 'Tablet' },
    { value: 'tv', label: 'Television' },
    { value: unknownValue, label: 'Unknown' },
  ],
}

const mostValues = 20
const longestValue = 2_048
const longestName = 100

export function namesFor({ token }: Reader): readonly FilterName[] {
  return token === undefined ? filterNames : ofShares
}

/** Reads the filters of an address. */
export function readFilters(address: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      // The router reads texts of digits as numbers.
      const texts = [address[name]].flat().filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      const values = [...new Set(texts.map(String))].filter((text) => isValue(name, text)).slice(0, mostValues)
      return values.length === 0 ? [] : [[name, values]]
    }),
  )
}

/** The filters of a view that the reader may use. */
export function filtersOf(view: Filters, reader: Reader): Filters {
  return Object.fromEntries(namesFor(reader).flatMap((name) => (view[name] ? [[name, view[name]]] : [])))
}

/** The daily sums of other tools are of all page views, so they are not shown under filters. */
export function isFiltered(filters: Filters): boolean {
  return Object.keys(filters).length > 0
}

const parameter = '(?:utm_(?:source|medium|campaign|term|content)|ref)=[^&]*'
const campaign = new RegExp(`^${parameter}(?:&${parameter})*$`)

export function isValue(name: FilterName, text: string): boolean {
  const value = isNot(name, text) ? text.slice(1) : text
  if (value === '' || value.length > longestValue || !value.isWellFormed() || value.includes('\0')) return false
  if (name === 'segment') return value.length <= longestName
  if (name === 'site') return value === unknownValue || /^site_[a-z0-9]{1,40}$/.test(value)
  if (name === 'path' || name === 'section') return value.startsWith('/')
  if (value !== unknownValue) {
    if (name === 'country') return /^[a-z]{2}$/i.test(value)
    if (name === 'language') return /^[a-z]{2,3}$/i.test(value)
    if (name === 'campaign') return campaign.test(value)
  }
  return filterChoices[name]?.some((choice) => choice.value === value) ?? true
}

/** False: no filter can have this value alone, such as the agent without a name. */
export function isPlain(name: FilterName, value: string): boolean {
  return isValue(name, value) && !isNot(name, value)
}

export type Wanted = { readonly [Name in FilterName]?: string[] | undefined }

/** The change that shows this value alone. What is filtered out stays out. A section replaces the page, which is in it. */
export function only(filters: Filters, name: FilterName, value: string): Wanted {
  const not = (filters[name] ?? []).filter((one) => one.startsWith('!') && one !== `!${value}`)
  const pages =
    name === 'section' && filters.path ? { path: orNothing(filters.path.filter((one) => isNot('path', one))) } : {}
  return { ...pages, [name]: [...not, value] }
}

/** The change that adds a value, which may begin with `!`, to those that are there. */
export function plus(filters: Filters, name: FilterName, value: string): Wanted {
  const opposite = isNot(name, value) ? value.slice(1) : `!${value}`
  const others = (filters[name] ?? []).filter((one) => one !== opposite && one !== value)
  return { [name]: [...others, value].slice(-mostValues) }
}

export type Chip = { readonly name: FilterName; readonly isNot: boolean; readonly values: readonly string[] }

/**
 * The values of one filter that count are alternatives, so one chip; each value that does not count has its own. All segments
 * have to match, so each has its own, too.
 */
export function chipsOf(filters: Filters): readonly Chip[] {
  return filterNames.flatMap((name): readonly Chip[] => {
    const values = filters[name] ?? []
    if (name === 'segment') return values.map((one) => ({ name, isNot: false, values: [one] }))
    const any = values.filter((one) => !isNot(name, one))
    const not = values.filter((one) => isNot(name, one)).map((one) => ({ name, isNot: true, values: [one.slice(1)] }))
    return [...(any.length > 0 ? [{ name, isNot: false, values: any }] : []), ...not]
  })
}

/** The change that takes a chip away. */
export function without(filters: Filters, chip: Chip): Wanted {
  const gone = new Set(chip.values.map((value) => (chip.isNot ? `!${value}` : value)))
  return { [chip.name]: orNothing((filters[chip.name] ?? []).filter((one) => !gone.has(one))) }
}

/** The change that takes all of them away. */
export const nothing: Wanted = Object.fromEntries(filterNames.map((name) => [name, undefined]))

/** The change that shows a saved segment alone. */
export function onlySegment(segment: string): Wanted {
  return { ...nothing, segment: [segment] }
}

/** The change that takes a segment away, however the address spells it. */
export function withoutSegment({ segment = [] }: Filters, gone: string): Wanted {
  return { segment: orNothing(segment.filter((one) => !isSameSegment(one, gone))) }
}

/** Names of segments are the same in upper and lower case. */
export function isSameSegment(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The filters and one more, which a page view has to match as well. Undefined: no page view can. */
export function narrow(filters: Filters, name: Exclude<FilterName, 'segment'>, value: string): Filters | undefined {
  const values = filters[name] ?? []
  const any = values.filter((one) => !isNot(name, one))
  if (values.includes(`!${value}`) || (any.length > 0 && !any.includes(value))) return undefined
  return { ...filters, [name]: [value] }
}

export type Piece = { readonly text: string; readonly section: string }

const mostPieces = 4

/** The sections that a path is in, and the rest of the path: `/a/b/c` is `/a`, `/b` and the page `/c`. */
export function piecesOf(path: string): { readonly sections: readonly Piece[]; readonly rest: string } {
  const parts = path.split('/').slice(1)
  const sections = parts.slice(0, Math.min(parts.length - 1, mostPieces)).map((part, at) => ({
    text: `/${part}`,
    section: `/${parts.slice(0, at + 1).join('/')}`,
  }))
  return { sections, rest: `/${parts.slice(sections.length).join('/')}` }
}

function isNot(name: FilterName, value: string): boolean {
  return name !== 'segment' && value.startsWith('!')
}

function orNothing(values: string[]): string[] | undefined {
  return values.length === 0 ? undefined : values
}
