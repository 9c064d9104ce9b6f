// Where the address of a client is in the lines of a log: that of the connection, unless the operator names another place.
// The other places hold one address or a list like X-Forwarded-For, to which each proxy appends the address that it saw.

import { Failure } from '../../../lib/failure.ts'
import { toAddress } from '../formats/fields.ts'
import { bareName } from '../formats/strings/template.ts'

/**
 * `hops` counts the trusted proxies, of which the first is the peer of the connection: only the last `hops` entries of a
 * list cannot be forged. `name` of a field: its position in the line, its name in JSON, or its column.
 */
export type AddressFrom =
  | { readonly kind: 'forwarded'; readonly hops: number }
  | { readonly kind: 'field'; readonly name: string; readonly hops: number }

/** The place of the address one hop further. */
export function oneHopFurther(from: AddressFrom | undefined): AddressFrom {
  return from === undefined ? { kind: 'forwarded', hops: 1 } : { ...from, hops: from.hops + 1 }
}

/** `forwarded`, or `field` and a name. Returns undefined for another text. */
export function readAddressFrom(text: string, hops: number): AddressFrom | undefined {
  if (text === 'forwarded') return { kind: 'forwarded', hops }
  const name = /^field\s+(\S.{0,199})$/.exec(text.trim())?.[1]
  return name === undefined ? undefined : { kind: 'field', name, hops }
}

/** The places of one line. Only the one that is asked for is read. */
export type Places = {
  readonly connection: () => string | undefined
  readonly forwarded?: () => string | undefined
  readonly field: (name: string) => string | undefined
}

/** Returns undefined if there is no address at the place, or too few entries. */
export function findAddress(from: AddressFrom | undefined, places: Places): string | undefined {
  if (from === undefined) return toAddress(places.connection())
  const list = from.kind === 'forwarded' ? places.forwarded?.() : places.field(from.name)
  return toAddress(list?.split(',').at(-from.hops)?.trim())
}

/** How a format names the fields of its lines. */
export type FieldNames =
  /**
   * Positions from 1. `count` is undefined if lines can have more fields than the format says. `names` are those of a
   * format string.
   */
  | { readonly by: 'position'; readonly count: number | undefined; readonly names: readonly string[] }
  /** Names in JSON, with dots for objects in objects. */
  | { readonly by: 'name' }
  /** Columns that a line `#Fields:` names. */
  | { readonly by: 'column' }

type Checked = {
  readonly file: string
  readonly format: string
  readonly hasForwarded: boolean
  readonly fields: FieldNames
  /** The first lines. */
  readonly sample: readonly string[]
  /** The name of the option in messages. */
  readonly option: string
}

/** Throws `invalid_input` if no line of the log can have an address at the place. */
export function requirePlace(from: AddressFrom, about: Checked): void {
  const { file, format, hasForwarded, option } = about
  const lacksHeader = hasForwarded ? undefined : `which has no X-Forwarded-For for ${option}`
  const problem = from.kind === 'field' ? findFieldProblem(from.name, about) : lacksHeader
  if (problem !== undefined) throw new Failure('invalid_input', `${file} has the format ${format}, ${problem}.`)
}

const mostFields = 999

function findFieldProblem(name: string, { fields, sample }: Checked): string | undefined {
  switch (fields.by) {
    case 'name':
      return /^\d+$/.test(name) ? `whose lines are JSON: give the name of a field, not ${name}` : undefined
    case 'column': {
      const columns = sample.flatMap((line) => /^#Fields:\s*(.*)$/i.exec(line)?.[1]?.split(/\s+/) ?? [])
      const has = columns.length === 0 || columns.some((column) => column.toLowerCase() === name.toLowerCase())
      return has ? undefined : `whose line #Fields: has no column ${name}`
    }
    case 'position':
      return fields.names.includes(bareName(name)) ? undefined : findPositionProblem(name, fields)
    default:
      return fields satisfies never
  }
}

type Positions = Extract<FieldNames, { readonly by: 'position' }>

function findPositionProblem(name: string, { count, names }: Positions): string | undefined {
  const most = count ?? mostFields
  const orName = names.length > 0 ? ' or a name of the format string' : ''
  if (!/^[1-9]\d{0,2}$/.test(name))
    return `whose fields have positions: give a number from 1 to ${most}${orName}, not ${name}`
  if (Number(name) <= most) return undefined
  return `whose lines have ${most} ${most === 1 ? 'field' : 'fields'}: there is no field ${name}`
}
