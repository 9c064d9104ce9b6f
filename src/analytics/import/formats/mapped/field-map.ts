// Settings that an operator adds to the name of a format: where the values of a line are (`--fields`), and the zone of times
// without one (`--time-zone`). Knows no format.

import { Temporal } from 'temporal-polyfill'
import { Failure } from '../../../../lib/failure.ts'

export type FormatSettings = {
  /** As the operator writes it: `user_agent=1,host=2`. */
  readonly fields?: string | undefined
  /** An IANA name. */
  readonly timeZone?: string | undefined
  /** The names of the options in messages, where they are not those of the command line. */
  readonly names?: SettingNames | undefined
}
export type SettingNames = { readonly fields: string; readonly timeZone: string }

export const commandSettings: SettingNames = { fields: '--fields', timeZone: '--time-zone' }

type Expected<Field extends string> = {
  readonly known: readonly Field[]
  /** The name of the format, and a text that it takes. */
  readonly format: string
  readonly example: string
  /** The name of the option. */
  readonly option: string
}

/** Throws `invalid_input` for a text that is not a list of known fields, each once. */
export function readFieldMap<Field extends string>(
  text: string,
  { known, format, example, option }: Expected<Field>,
): ReadonlyMap<Field, string> {
  const map = new Map<Field, string>()
  const suggestion = `write ${option} like ${example}`
  for (const piece of text.split(',')) {
    const [, left = '', place = ''] = /^\s*([^=\s]{1,40})\s*=\s*(\S.{0,199}?)\s*$/s.exec(piece) ?? []
    if (place === '') throw refuse(`“${piece.slice(0, 80)}” does not say where a field is: ${suggestion}.`)
    const field = known.find((one) => one === left)
    if (field === undefined) throw refuse(`${left} is no field of ${format}, which has ${known.join(', ')}.`)
    if (map.has(field)) throw refuse(`${field} has two places: ${suggestion}.`)
    map.set(field, place)
  }
  return map
}

/** Throws `invalid_input` if the zone is unknown. */
export function requireZone(zone: string, { timeZone: option }: SettingNames): void {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
  } catch {
    throw refuse(`${zone} is not a time zone: write an IANA name for ${option}, such as Europe/Berlin.`)
  }
}

/** For the screen, once in an import. */
export function describeZone(format: string, zone: string, option: string): string {
  return `Times in the lines of ${format} have no zone and are read as ${zone}; ${option} names another, such as Europe/Berlin.`
}

export function refuse(message: string): Failure {
  return new Failure('invalid_input', message)
}
