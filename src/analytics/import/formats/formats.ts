// The formats by name or as the format string of a server, and the detection of a log's format from its first lines.

import { Failure } from '../../../lib/failure.ts'
import type { AddressFrom, FieldNames } from '../address/address-from.ts'
import { countFields } from '../address/line-fields.ts'
import { isRejected, type LineReason, type Parsed, type ParseLine } from '../wire-page-view.ts'
import { createCaddy } from './caddy.ts'
import { createCloudflare } from './cloudflare.ts'
import { createCombined } from './combined.ts'
import { commandSettings, type FormatSettings, refuse } from './mapped/field-map.ts'
import { createHaproxy, haproxyExample, looksLikeHaproxy, readHaproxySettings } from './mapped/haproxy.ts'
import { createNginxJson, hasForwardedKey, readNginxKeys } from './mapped/nginx-json.ts'
import { createNdjson } from './ndjson.ts'
import { compileString, type StringName } from './strings/strings.ts'
import { textFormats } from './strings/named.ts'
import { createGoatcounter } from './tools/goatcounter.ts'
import { createUmami } from './tools/umami.ts'
import { bareName, type Template, toSample } from './strings/template.ts'
import { createTemplateParser } from './strings/to-view.ts'
import { createTraefikJson } from './traefik-json.ts'
import { createVercel } from './vercel.ts'
import { createW3c, type W3cName } from './w3c.ts'

type CreateParser = (from?: AddressFrom) => ParseLine

/** Use one parser per file: it caches the last day that it read. */
export type Format = {
  readonly name: FormatName | StringName
  readonly createParser: CreateParser
  /** Its lines can hold X-Forwarded-For. */
  readonly hasForwarded: boolean
  readonly fields: FieldNames
  /** A line `#Fields:` names the columns of the lines after it: a parser has to see it, also before a position. */
  readonly isHeaded?: true
  /** The export of another tool: a line may name the columns of all lines after it, and a row is what a person viewed. */
  readonly isExport?: true
  /** Times in its lines have no zone: this one is used. */
  readonly zone?: string
}

const fixed = {
  combined: {
    createParser: createCombined,
    hasForwarded: true,
    fields: { by: 'position', count: undefined, names: [] },
  },
  caddy: fromJson(createCaddy, true),
  cloudflare: fromJson(createCloudflare, false),
  vercel: fromJson(createVercel, false),
  ndjson: fromJson(createNdjson, false),
  common: fromTemplate(textFormats.common()),
  traefik: { ...fromTemplate(textFormats.traefik()), createParser: createTraefik },
  'traefik-json': fromJson(createTraefikJson, true),
  alb: fromTemplate(textFormats.alb()),
  cloudfront: fromW3c('cloudfront'),
  iis: fromW3c('iis'),
  goatcounter: { ...fromJson(createGoatcounter, false), isExport: true },
  umami: { ...fromJson(createUmami, false), isExport: true },
} as const satisfies Readonly<Record<string, Omit<Format, 'name'>>>

type Configure = (settings: FormatSettings) => Omit<Format, 'name'>

/** The operator says more about these than their name. */
const mapped = { haproxy: fromHaproxy, 'nginx-json': fromNginxJson } as const satisfies Readonly<
  Record<string, Configure>
>

export type FormatName = keyof typeof fixed | MappedName
type MappedName = keyof typeof mapped
const fixedNames = Object.keys(fixed) as readonly (keyof typeof fixed)[]
export const mappedNames = Object.keys(mapped) as readonly MappedName[]
export const formatNames: readonly FormatName[] = [...fixedNames, ...mappedNames]

/** For messages. */
export const howToNameFormats =
  `Docent reads ${formatNames.join(', ')}, and format strings of nginx and Apache, ` +
  'such as \'$remote_addr - - [$time_local] "$request" $status 0 "$http_referer" "$http_user_agent"\''

/** A format by name, or by the format string of nginx or Apache. Throws `invalid_input`, also for settings that do not fit. */
export function readFormat(text: string, settings: FormatSettings = {}): Format {
  const mappedName = mappedNames.find((one) => one === text)
  if (mappedName !== undefined) return { name: mappedName, ...mapped[mappedName](settings) }
  const format = readFixed(text)
  const { fields, timeZone, names = commandSettings } = settings
  if (fields !== undefined)
    throw refuse(`${names.fields} is for the formats ${mappedNames.join(' and ')}, not ${format.name}.`)
  if (timeZone !== undefined) throw refuseZone(format.name, settings)
  return format
}

/** Throws `invalid_input` for a text that is neither a name nor a format string. */
export function requireFormat(text: string): void {
  if (!mappedNames.some((one) => one === text)) readFixed(text)
}

function readFixed(text: string): Format {
  const name = fixedNames.find((one) => one === text)
  if (name !== undefined) return { name, ...fixed[name] }
  const compiled = compileString(text)
  if (compiled !== undefined) {
    const names = compiled.template.fields.map(({ field }) => bareName(field.name))
    return { name: compiled.name, ...fromTemplate(compiled.template, names) }
  }
  throw new Failure('invalid_input', `${text} is not a format: ${howToNameFormats}.`)
}

function refuseZone(format: string, { names = commandSettings }: FormatSettings): Failure {
  return refuse(`${names.timeZone} is for the format haproxy, whose times have no zone: leave it out for ${format}.`)
}

function fromHaproxy(settings: FormatSettings): Omit<Format, 'name'> {
  const read = readHaproxySettings(settings)
  return {
    createParser: (from) => createHaproxy(read, from),
    hasForwarded: read.positions.has('forwarded'),
    fields: { by: 'position', count: undefined, names: [] },
    zone: read.zone,
  }
}

function fromNginxJson(settings: FormatSettings): Omit<Format, 'name'> {
  if (settings.timeZone !== undefined) throw refuseZone('nginx-json', settings)
  const keys = readNginxKeys(settings)
  return {
    createParser: (from) => createNginxJson(keys, from),
    hasForwarded: hasForwardedKey(keys),
    fields: { by: 'name' },
  }
}

function fromJson(create: (from?: AddressFrom) => ParseLine, hasForwarded: boolean): Omit<Format, 'name'> {
  return { createParser: create, hasForwarded, fields: { by: 'name' } }
}

/** Traefik before 2.0 writes a missing referrer without quotes. */
function createTraefik(from?: AddressFrom): ReturnType<CreateParser> {
  const parse = createTemplateParser(textFormats.traefik(), from)
  const parseBare = createTemplateParser(textFormats.traefikBare(), from)
  return (line) => {
    const parsed = parse(line)
    return isRejected(parsed) && parsed.rejected === 'not_this_format' ? parseBare(line) : parsed
  }
}

function fromW3c(name: W3cName): Omit<Format, 'name'> {
  const createParser: CreateParser = (from) => createW3c(name, from)
  return { createParser, hasForwarded: true, fields: { by: 'column' }, isHeaded: true }
}

/** `names`: those that the operator wrote. */
function fromTemplate(template: Template, names: readonly string[] = []): Omit<Format, 'name'> {
  return {
    createParser: (from) => createTemplateParser(template, from),
    hasForwarded: template.fields.some(({ field }) => field.role === 'forwarded'),
    fields: {
      by: 'position',
      count: template.isOpen ? undefined : countFields(toSample(template)),
      names,
    },
  }
}

export function createParser(format: string, from?: AddressFrom, settings?: FormatSettings): ParseLine {
  return readFormat(format, settings).createParser(from)
}

/** A sentence for lines in no format that can be detected. */
export function describeUnknown(lines: readonly string[], option: string, { fields } = commandSettings): string {
  if (!lines.some(looksLikeHaproxy)) return `name it with ${option}: ${howToNameFormats}`
  return (
    `which looks like the HTTP log of HAProxy. Give ${option} haproxy and ${fields} ${haproxyExample}, ` +
    'with the numbers of your "capture request header" lines'
  )
}

/** Lines of the others are also `combined`, or too short to identify readers: they have to be named. */
const detected = [
  'combined',
  'nginx-json',
  'caddy',
  'cloudflare',
  'vercel',
  'ndjson',
  'traefik-json',
  'alb',
  'cloudfront',
  'iis',
  'goatcounter',
  'umami',
] as const satisfies readonly FormatName[]

/** Returns the format of most of the lines, or undefined if no format matches. */
export function detectFormat(lines: readonly string[]): FormatName | undefined {
  const scores = detected.map((name) => {
    const parse = createParser(name)
    return { name, score: lines.filter((line) => isOf(name, parse(line))).length }
  })
  const best = scores.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best.name : undefined
}

/** Why lines are of another format: those in `common`, and any that are long enough and have a quoted value. */
const ofAnother: Partial<Record<FormatName, LineReason>> = {
  combined: 'no_user_agent',
  alb: 'bad_time',
  goatcounter: 'not_a_visit',
  umami: 'not_a_visit',
}

/** Lines that have the format, but are not page views, count too. */
function isOf(name: FormatName, parsed: Parsed): boolean {
  return !isRejected(parsed) || !['not_this_format', ofAnother[name]].includes(parsed.rejected)
}
