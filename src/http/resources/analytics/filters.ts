// The query parameters that filter an export.

import { z } from '@hono/zod-openapi'
import { partsOfCampaign } from '../../../analytics/dimensions/campaign-parts.ts'
import { devices } from '../../../analytics/dimensions/client.ts'
import { campaignParameters } from '../../../analytics/collect/target/kept-query.ts'
import { normalisePath } from '../../../analytics/collect/path.ts'
import {
  filterClasses,
  type FilterName,
  filterNames,
  type Filters,
  toFilters,
  valuesOfFilter,
} from '../../../analytics/counts/query/filters.ts'
import { unknownValue } from '../../../analytics/dimensions/view-dimensions.ts'
import { Failure } from '../../../lib/failure.ts'
import { exactObject } from '../../contract/schema-of.ts'

/** Values of one filter. */
const mostValues = 20
const longestValue = 2_048

const orUnknown = `\`${unknownValue}\`: page views without one.`

const descriptions: Readonly<Record<FilterName, string>> = {
  site: `Id of the site, \`site_…\`; \`${unknownValue}\`: page views without a site.`,
  section: 'Pages whose path is this one or begins with its segments: `/guides` is `/guides` and `/guides/install`.',
  path: 'Path of the page, normalised.',
  class: 'Who viewed the page: `human`, `ai` or `neither`.',
  agent: 'Name of the AI agent or crawler.',
  operator: 'Organisation that runs the client.',
  referrer: 'Referring site, as the export of referring sites names it.',
  representation: 'Form of the response: `html` or `markdown`.',
  language: `First language of the reader, ISO 639: \`de\`. ${orUnknown}`,
  country: `Country of the reader, ISO 3166-1: \`DE\`. ${orUnknown}`,
  device: `\`desktop\`, \`mobile\`, \`tablet\` or \`tv\`. ${orUnknown}`,
  browser: `Family of the browser: \`Firefox\`. ${orUnknown}`,
  os: `Family of the operating system: \`Windows\`. ${orUnknown}`,
  campaign: `Parameters of the campaign, all of which a page view has: \`utm_source=newsletter&utm_campaign=launch\`. ${orUnknown}`,
}

const examples: Readonly<Record<FilterName, string>> = {
  site: 'site_5kq2m8v0x7r1t3y6z9bd',
  section: '/guides',
  path: '/quickstart',
  class: 'human',
  agent: 'ChatGPT-User',
  operator: 'OpenAI',
  referrer: 'google.com',
  representation: 'markdown',
  language: 'de',
  country: 'DE',
  device: 'mobile',
  browser: 'Firefox',
  os: 'Windows',
  campaign: 'utm_source=newsletter',
}

const known: Partial<Readonly<Record<FilterName, readonly string[]>>> = {
  class: filterClasses,
  device: [...devices, unknownValue],
  representation: ['html', 'markdown'],
}

function parameter(name: FilterName) {
  const description = `${descriptions[name]} Repeated: any of them. With a leading \`!\`: all but that.`
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const values = [given].flat()
      const found = values.length > mostValues ? undefined : values.map((value) => parse(name, value))
      if (found?.every((value) => value !== undefined)) return found
      context.addIssue({ code: 'custom', message: problemOf(name) })
      return z.NEVER
    })
    .optional()
    .openapi({ type: 'array', items: { type: 'string' }, description, example: [examples[name]] })
}

/** Without a leading `!`, a value is as page views have it. Undefined: no page view can have it. */
function parse(name: FilterName, text: string): string | undefined {
  const not = text.startsWith('!') ? '!' : ''
  const value = text.slice(not.length)
  if (value === '' || value.length > longestValue || !value.isWellFormed() || value.includes('\0')) return undefined
  if (known[name]?.includes(value) === false) return undefined
  if (name === 'site' && value !== unknownValue && !/^site_[a-z0-9]{1,40}$/.test(value)) return undefined
  if (name === 'country' && value !== unknownValue)
    return /^[a-z]{2}$/i.test(value) ? not + value.toUpperCase() : undefined
  if (name === 'language' && value !== unknownValue)
    return /^[a-z]{2,3}$/i.test(value) ? not + value.toLowerCase() : undefined
  if (name === 'campaign') return value === unknownValue || isCampaign(value) ? not + value : undefined
  if (name !== 'path' && name !== 'section') return not + value
  const path = value.startsWith('/') ? normalisePath(value) : undefined
  return path === undefined ? undefined : not + path
}

/** A parameter without a value is refused: all page views would match it. */
function isCampaign(value: string): boolean {
  const parts = value.split('&')
  const isOne = (part: string) => campaignParameters.some((name) => part.startsWith(`${name}=`))
  return parts.every(isOne) && partsOfCampaign(value).length === parts.length
}

function problemOf(name: FilterName): string {
  const rest = `with or without a leading \`!\`, and at most ${mostValues} of them`
  const [first] = known[name] ?? []
  if (first !== undefined) return `must be one of ${(known[name] ?? []).join(', ')}, ${rest}`
  if (name === 'country') return `must be an ISO 3166-1 code such as DE, ${rest}`
  if (name === 'language') return `must be an ISO 639 code such as de, ${rest}`
  if (name === 'campaign')
    return `must be parameters such as utm_source=newsletter (${campaignParameters.join(', ')}), ${rest}`
  if (name === 'site') return `must be the id of a site or \`${unknownValue}\`, ${rest}`
  if (name === 'path' || name === 'section') return `must be a path that begins with \`/\`, ${rest}`
  return `must have 1 to ${longestValue.toLocaleString('en-US')} characters, ${rest}`
}

type Parameters = Readonly<Record<FilterName, ReturnType<typeof parameter>>>
const own = Object.fromEntries(filterNames.map((name) => [name, parameter(name)])) as Parameters

/** The filters of a body: the same names and values as in a query. */
export const filtersObject = exactObject(own)

const segment = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .refine((names) => names.length <= mostValues, `must have at most ${mostValues} values`)
  .optional()
  .openapi({
    type: 'array',
    items: { type: 'string' },
    description: 'Id or name of a saved segment: its filters, and those of the request. Repeated: all of them.',
    example: ['Readers of the guides'],
  })

export const filterParameters = { ...own, segment }

type Given = Readonly<Partial<Record<FilterName, readonly string[] | undefined>>>

/** Those that were given, of all fields of an object. */
export function filtersIn(given: Given): Filters {
  return toFilters(Object.fromEntries(filterNames.flatMap((name) => (given[name] ? [[name, given[name]]] : []))))
}

/** The filters as callers write them. */
export function toValues(filters: Filters): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(filters.map((filter) => [filter.name, valuesOfFilter(filter)]))
}

/** The query of an export, with its filters. */
export function withFilters<Q extends Given>(query: Q): Omit<Q, FilterName> & { readonly filters: Filters } {
  const rest = Object.entries(query).filter(([name]) => !(filterNames as readonly string[]).includes(name))
  return { ...(Object.fromEntries(rest) as Omit<Q, FilterName>), filters: filtersIn(query) }
}

/** A shared link shows no more than its page: rare values of other filters could say who somebody is. */
const ofShares: readonly FilterName[] = ['site', 'section', 'path', 'class']

/** Rows of fewer could say who somebody is, too. */
export const fewestOfShare = 5

/** Throws `forbidden`. */
export function refuseFiltersOfShare(filters: Filters): void {
  const refused = filters.find(({ name }) => !ofShares.includes(name))
  if (!refused) return
  const names = ofShares.map((name) => `\`${name}\``).join(', ')
  throw new Failure('forbidden', `A shared link filters by ${names} only, not by \`${refused.name}\`.`)
}
