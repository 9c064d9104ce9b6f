// The strings of a configuration file, JSON, YAML, TOML or a script, each with the keys that lead to it. Evaluates nothing: of a
// script, only literal strings are known, anywhere in the file.

import { jsonStrings, readJson } from '../docs-syntax/json.ts'
import { readScriptStrings, siblingsOf } from '../docs-syntax/script/script-strings.ts'
import { lineAt, lineStarts, type Range } from '../docs-syntax/text.ts'
import { readToml } from '../docs-syntax/toml.ts'
import { readYaml } from '../docs-syntax/yaml.ts'
import { dataProblem } from '../docs-syntax/data-problem.ts'
import type { Problem } from '../docs-syntax/page.ts'

/** The range includes quotes. */
export type ConfigString = Range & {
  readonly value: string
  /** The keys from the root, with `[]` for an item of a list. In a script: from the outermost object. */
  readonly keys: readonly string[]
  readonly line: number
  /** The strings beside it in the same object. */
  readonly siblings: Readonly<Record<string, string>>
}

export type ConfigFacts = {
  /** Empty if the file does not parse. */
  readonly strings: readonly ConfigString[]
  /** Set for JSON, YAML and TOML only. */
  readonly problem: Problem | null
}

export function readConfig(path: string, text: string): ConfigFacts {
  const isData = /\.(?:json|ya?ml|toml)$/i.test(path)
  return { strings: readStrings(path, text) ?? [], problem: isData ? dataProblem(path, text) : null }
}

/** Undefined: the text does not parse. */
function readStrings(path: string, text: string): ConfigString[] | undefined {
  if (/\.toml$/i.test(path)) return readTomlStrings(text)
  if (/\.jsonc?$/i.test(path)) return readJsonStrings(text)
  return /\.ya?ml$/i.test(path) ? readYamlStrings(text) : readCode(path, text)
}

function readJsonStrings(text: string): ConfigString[] | undefined {
  const root = readJson(text)
  const starts = lineStarts(text)
  return (
    root &&
    jsonStrings(root).map(({ value, path, start, end, parent }) => {
      const pairs = parent.members.flatMap(({ key, name, node }) =>
        key && node.kind === 'string' ? [[name, node.value]] : [],
      )
      return {
        value,
        keys: path,
        start,
        end,
        line: lineAt(starts, start),
        siblings: Object.fromEntries(pairs) as Record<string, string>,
      }
    })
  )
}

function readYamlStrings(text: string): ConfigString[] | undefined {
  const { strings, problem } = readYaml(text)
  if (problem !== undefined) return undefined
  const starts = lineStarts(text)
  return strings.map(({ value, path, start, end }) => ({
    value,
    start,
    end,
    keys: path.map((key) => (typeof key === 'number' ? '[]' : key)),
    line: lineAt(starts, start),
    siblings: {},
  }))
}

/** Each string is looked for in its quotes after the one before it, for the parser gives no positions. */
function readTomlStrings(text: string): ConfigString[] {
  const starts = lineStarts(text)
  const found: ConfigString[] = []
  let position = 0
  const walk = (value: unknown, keys: readonly string[]): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, [...keys, '[]'])
    else if (typeof value === 'string') {
      const places = [`"${value}"`, `'${value}'`].map((written) => text.indexOf(written, position))
      const start = Math.min(...places.filter((at) => at !== -1))
      if (start === Infinity) return
      position = start + value.length + 2
      found.push({ value, keys, start, end: position, line: lineAt(starts, start), siblings: {} })
    } else if (isTable(value)) for (const [key, one] of Object.entries(value)) walk(one, [...keys, key])
  }
  walk(readToml(text).values, [])
  return found
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

function readCode(path: string, text: string): ConfigString[] | undefined {
  const starts = lineStarts(text)
  return readScriptStrings(path, text)?.map((one) => {
    const { value, keys, start, end } = one
    return { value, keys, start, end, line: lineAt(starts, start), siblings: siblingsOf(one) }
  })
}
