// Reads the facts of a data file: whether it parses, and where the `$ref`s of an OpenAPI file lead. The only file that
// uses `smol-toml`.

import { TomlError, parse as parseToml } from 'smol-toml'
import { type JsonNode, jsonStrings, readJson } from '../../docs-syntax/json.ts'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { maxYamlCharacters, readYaml } from '../../docs-syntax/yaml.ts'
import type { DataFacts } from './data-facts.ts'
import type { Problem } from './page-facts.ts'

type Path = readonly string[]
type Found = { readonly value: string; readonly path: readonly (string | number)[]; readonly start: number }

/** Files in which comments and trailing commas are usual. */
const withComments = /\.jsonc$|(?:^|\/)(?:[jt]sconfig[^/]*|\.[^/]*|deno|turbo|nx|wrangler)\.json$|(?:^|\/)\.vscode\//
const pointerDepth = 3
/** The root of an OpenAPI document, or of a file with parts of one. */
const openApiFields = ['openapi', 'swagger', 'components', 'definitions']
const nothing = { problem: null, references: [], pointers: [] }

export function readData(path: string, text: string): DataFacts {
  if (/\.toml$/i.test(path)) return { ...nothing, problem: readToml(text).problem }
  return /\.ya?ml$/i.test(path) ? readYamlData(text) : readJsonData(path, text)
}

export type TomlText = {
  readonly problem: Problem | null
  readonly names: readonly string[]
  /** Empty if there is a problem. */
  readonly values: Readonly<Record<string, unknown>>
}

export function readToml(text: string): TomlText {
  try {
    const values = parseToml(text)
    return { problem: null, names: Object.keys(values), values }
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1
    const [message = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    return { problem: { line, message }, names: [], values: {} }
  }
}

function readYamlData(text: string): DataFacts {
  // A text that the parser cannot read in bounded time is not judged.
  if (text.length > maxYamlCharacters) return nothing
  const { problem, problemAt, strings, paths } = readYaml(text)
  if (problem !== undefined) {
    return { ...nothing, problem: { line: lineWithin(text, problemAt), message: problem } }
  }
  return referencesOf(text, strings, paths(pointerDepth))
}

function readJsonData(path: string, text: string): DataFacts {
  const root = readJson(text)
  const problem = jsonProblem(text, withComments.test(path) && root !== undefined)
  if (problem || !root) return { ...nothing, problem }
  return referencesOf(text, jsonStrings(root), pathsIn(root, [], pointerDepth))
}

/** `isLoose`: the file is correct with its comments and trailing commas. */
function jsonProblem(text: string, isLoose: boolean): Problem | null {
  if (isLoose) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    // The platform tells the place in its words alone.
    const [, message = words, position] = /^([^]*?),? (?:in JSON )?at position (\d+)/.exec(words) ?? []
    return { line: lineWithin(text, Number(position ?? Infinity)), message: message.replace(/, \.*"[^]*$/, '') }
  }
}

/** The end of a file counts as its last line that is not blank. */
function lineWithin(text: string, at: number): number {
  return lineAt(lineStarts(text), Math.min(at, text.trimEnd().length))
}

function referencesOf(text: string, strings: readonly Found[], paths: readonly Path[]): DataFacts {
  if (!paths.some(([first = '', ...rest]) => rest.length === 0 && openApiFields.includes(first))) return nothing
  const pointers = paths.map(toPointer)
  const known = new Set(pointers)
  const starts = lineStarts(text)
  const references = strings.flatMap(({ value, path, start }) => {
    if (path.at(-1) !== '$ref' || (value.startsWith('#') && !isDangling(value, known))) return []
    return [{ url: value, line: lineAt(starts, start) }]
  })
  return { problem: null, references, pointers }
}

/** A deeper place, and one inside a list, is not known, and counts as there. */
function isDangling(url: string, known: ReadonlySet<string>): boolean {
  const pointer = url.slice(1)
  return pointer.startsWith('/') && pointer.split('/').length - 1 <= pointerDepth && !known.has(pointer)
}

function toPointer(path: Path): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function pathsIn(node: JsonNode, path: Path, depth: number): Path[] {
  if (node.kind !== 'object' || depth === 0) return []
  return node.members.flatMap((member) => {
    const here = [...path, member.name]
    return [here, ...pathsIn(member.node, here, depth - 1)]
  })
}
