// Reads a configuration as a list of values with their keys: YAML with aliases and tags resolved, TOML and JSON.

import { readToml } from '../../../docs-syntax/toml.ts'
import { type JsonNode, readJson } from '../../../docs-syntax/json.ts'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import { readYamlValues } from '../../../docs-syntax/yaml.ts'

/** `path`: the keys from the root; `[]` is an item of a list. `line`: counted from 1; null if it is not known. */
export type Setting = {
  readonly path: readonly string[]
  readonly value: string
  readonly line: number | null
  /** A tag of YAML that a program gives a meaning, such as `!!python/name:x`. */
  readonly tag?: string
}

/** Returns undefined for a text that cannot be read. */
export function readSettings(path: string, text: string): readonly Setting[] | undefined {
  const plain = text.replace(/^\uFEFF/, '')
  if (/\.toml$/i.test(path)) return readTomlSettings(plain)
  const starts = lineStarts(plain)
  if (/\.ya?ml$/i.test(path)) {
    return readYamlValues(plain)?.map(({ start, ...one }) => ({ ...one, line: lineAt(starts, start) }))
  }
  const root = readJson(plain)
  return root && valuesIn(root, [], plain).map(({ start, ...one }) => ({ ...one, line: lineAt(starts, start) }))
}

type Found = { readonly path: readonly string[]; readonly value: string; readonly start: number }

function valuesIn(node: JsonNode, path: readonly string[], text: string): Found[] {
  if (node.kind === 'object' || node.kind === 'array') {
    return node.members.flatMap((member) => {
      return valuesIn(member.node, [...path, member.key ? member.name : '[]'], text)
    })
  }
  return [{ path, value: node.kind === 'string' ? node.value : text.slice(node.start, node.end), start: node.start }]
}

function readTomlSettings(text: string): readonly Setting[] | undefined {
  const { problem, values } = readToml(text)
  if (problem !== null) return undefined
  const lines = text.split('\n')
  return valuesOf(values, []).map(({ path, value }) => ({ path, value, line: lineOf(lines, path, value) }))
}

function valuesOf(value: unknown, path: readonly string[]): { path: readonly string[]; value: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesOf(one, [...path, '[]']))
  if (typeof value !== 'object' || value === null || value instanceof Date) return [{ path, value: String(value) }]
  return Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, [...path, name]))
}

/** The first line that sets the key, with the value if there is one. The parser does not say where a value is. */
function lineOf(lines: readonly string[], path: readonly string[], value: string): number | null {
  const name = path.findLast((one) => one !== '[]') ?? ''
  const has = (line: string) => line.includes(name) && line.includes('=')
  const at = lines.findIndex((line) => has(line) && line.includes(value))
  const found = at < 0 ? lines.findIndex(has) : at
  return found < 0 ? null : found + 1
}
