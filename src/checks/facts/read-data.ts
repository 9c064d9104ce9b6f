// Reads the facts of a data file: whether it parses, and where the `$ref`s of an OpenAPI file lead.

import { dataProblem, problemOfYaml } from '../../docs-syntax/data-problem.ts'
import { type JsonNode, jsonStrings, readJson } from '../../docs-syntax/json.ts'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { maxYamlCharacters, readYaml } from '../../docs-syntax/yaml.ts'
import type { DataFacts } from './data-facts.ts'

type Path = readonly string[]
type Found = { readonly value: string; readonly path: readonly (string | number)[]; readonly start: number }

const pointerDepth = 3
/** The root of an OpenAPI document, or of a file with parts of one. */
const openApiFields = ['openapi', 'swagger', 'components', 'definitions']
const nothing = { problem: null, references: [], pointers: [] }

export function readData(path: string, text: string): DataFacts {
  if (/\.ya?ml$/i.test(path)) return readYamlData(text)
  // A template of Jekyll, which makes the data.
  if (/^---\r?\n/.test(text)) return nothing
  const problem = dataProblem(path, text)
  return problem || /\.toml$/i.test(path) ? { ...nothing, problem } : readJsonData(text)
}

function readYamlData(text: string): DataFacts {
  // A text that the parser cannot read in bounded time is not judged.
  if (text.length > maxYamlCharacters) return nothing
  const yaml = readYaml(text)
  const problem = problemOfYaml(text, yaml)
  return problem ? { ...nothing, problem } : referencesOf(text, yaml.strings, yaml.paths(pointerDepth))
}

function readJsonData(text: string): DataFacts {
  const root = readJson(text)
  return root ? referencesOf(text, jsonStrings(root), pathsIn(root, [], pointerDepth)) : nothing
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
