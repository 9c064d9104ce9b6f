// The options that filter exports, the same for every command that asks for one. The service checks their values.

import type { Command } from 'commander'
import { unknownValue } from '../analytics/dimensions/view-dimensions.ts'
import { type FilterName, filterNames, toFilters } from '../analytics/counts/query/filters.ts'

/** The values as the API takes them; with a leading `!`, all but that. */
export type OwnFilters = { readonly [Name in FilterName]?: readonly string[] }
/** `segment`: the names or ids of saved ones. */
export type FilterOptions = OwnFilters & { readonly segment?: readonly string[] }

const descriptions: Readonly<Record<FilterName, readonly [value: string, description: string]>> = {
  site: [
    'id',
    `only page views of a site; ${unknownValue}: without one. Like every filter: again for any of them, ! for not`,
  ],
  section: ['path', 'only pages under a path, such as /guides'],
  path: ['path', 'only this page'],
  class: ['class', 'only human, ai or neither'],
  agent: ['name', 'only this AI agent or crawler'],
  operator: ['name', 'only clients of this organisation'],
  referrer: ['site', 'only visits from this site'],
  representation: ['form', 'only html or markdown'],
  language: ['code', `only readers of this language, such as de; ${unknownValue}: not known`],
  country: ['code', `only readers in this country, such as DE`],
  device: ['kind', 'only desktop, mobile, tablet or tv'],
  browser: ['name', 'only this family of browsers'],
  os: ['name', 'only this family of operating systems'],
  campaign: ['parameters', 'only this campaign, such as utm_source=newsletter'],
}

const collect = (value: string, before: readonly string[] = []) => [...before, value]

/** `except`: what the command has another option or argument for. */
export function addFilterOptions(command: Command, ...except: readonly FilterName[]): Command {
  const segment = 'only page views of a saved segment, by its name or id; again for both'
  return addOwnFilters(command, except).option('--segment <name>', segment, collect)
}

/** Without saved segments. */
export function addOwnFilters(command: Command, except: readonly FilterName[] = []): Command {
  for (const name of filterNames.filter((one) => !except.includes(one))) {
    const [value, description] = descriptions[name]
    command.option(`--${name} <${value}>`, description, collect)
  }
  return command
}

/** Those options of a command that filter. */
export function filtersOf(options: FilterOptions): FilterOptions {
  const names = [...filterNames, 'segment'] as const
  return Object.fromEntries(names.flatMap((name) => (options[name] ? [[name, options[name]]] : [])))
}

/** `section is /guides, agent is not GPTBot or ClaudeBot`; undefined without filters. */
export function describeFilters({ segment = [], ...filters }: FilterOptions): string | undefined {
  const ofFilters = toFilters(filters).flatMap(({ name, any, not }) => [
    ...(any.length > 0 ? [`${name} is ${any.join(' or ')}`] : []),
    ...(not.length > 0 ? [`${name} is not ${not.join(' or ')}`] : []),
  ])
  const parts = [...segment.map((name) => `segment is ${name}`), ...ofFilters]
  return parts.length > 0 ? parts.join(', ') : undefined
}
