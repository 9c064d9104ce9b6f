// Writes the parameters of a statement into its text: `{name:Type}` becomes a literal of that type. Knows the types that
// our statements use, and refuses all others.

import { text, textList } from './literal.ts'
import type { Params } from './query.ts'

type Integer = { readonly least: bigint; readonly most: bigint }

const integers: Readonly<Record<string, Integer>> = {
  Int64: { least: -(2n ** 63n), most: 2n ** 63n - 1n },
  UInt64: { least: 0n, most: 2n ** 64n - 1n },
  UInt32: { least: 0n, most: 2n ** 32n - 1n },
}

/** Times as the store writes them; milliseconds are optional. */
const times: Readonly<Record<string, RegExp>> = {
  Date: /^\d{4}-\d\d-\d\d$/,
  "DateTime64(3, 'UTC')": /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/,
}

/** A text, a quoted name, a comment or a text between dollar signs, which stay as they are; otherwise a placeholder. */
const token = new RegExp(
  [
    String.raw`'[^'\\]*(?:\\.[^'\\]*)*'`,
    String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`,
    '`[^`\\\\]*(?:\\\\.[^`\\\\]*)*`',
    String.raw`--[^\n]*`,
    String.raw`#[ !][^\n]*`,
    String.raw`/\*.*?\*/`,
    String.raw`(\$\w*\$).*?\1`,
    String.raw`\{(?<name>\w+)\s*:\s*(?<type>[^{}]*?)\s*\}`,
  ].join('|'),
  'gs',
)

/** Throws for a name that `params` lacks, a type that it does not know, and a value that is not of its type. */
export function writeParams(sql: string, params: Params): string {
  return sql.replaceAll(token, (whole: string, ...rest: readonly unknown[]) => {
    const { name, type = '' } = rest.at(-1) as { readonly name?: string; readonly type?: string }
    if (name === undefined) return whole
    if (!Object.hasOwn(params, name)) throw new TypeError(`The parameter ${name} of a statement is missing.`)
    const literal = toLiteral(type, params[name])
    if (literal === undefined) throw new TypeError(`The parameter ${name} of a statement is not of the type ${type}.`)
    return literal
  })
}

function toLiteral(type: string, value: unknown): string | undefined {
  if (type === 'String') return typeof value === 'string' ? text(value) : undefined
  if (type === 'Array(String)') return isTexts(value) ? cast(textList(value), type) : undefined
  const [integer, time] = [integers[type], times[type]]
  if (integer) return isWithin(value, integer) ? cast(`'${value}'`, type) : undefined
  return time && typeof value === 'string' && time.test(value) ? cast(`'${value}'`, type) : undefined
}

function cast(literal: string, type: string): string {
  return `CAST(${literal} AS ${type})`
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isWithin(value: unknown, { least, most }: Integer): value is number | bigint {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return false
  return BigInt(value as number | bigint) >= least && BigInt(value as number | bigint) <= most
}
