// Reads the strings of a YAML text with their ranges, and writes single strings. The only file that uses `yaml`. Never
// rewrites a document: callers splice single values, so all other bytes stay the same.

import {
  type Document,
  type Node,
  type Pair,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
} from 'yaml'
import type { Range } from './text.ts'

export type YamlString = Range & {
  /** The keys from the root to the value, with the index for an item of a list. */
  readonly path: readonly (string | number)[]
  readonly value: string
  /** `block` values (`|` and `>`) cannot be written back by `writeYamlString`. */
  readonly style: 'plain' | 'single' | 'double' | 'block'
  /** For a string in a list: its whole item, if the item is the string itself or a single pair with the string. */
  readonly item: Range | undefined
}

export type YamlKey = Range & { readonly name: string; readonly value: Range }
export type YamlText = {
  readonly strings: readonly YamlString[]
  /** The keys of the outermost map. */
  readonly keys: readonly YamlKey[]
  /** Describes a syntax error; the other fields then contain the parts that could be read. */
  readonly problem: string | undefined
  /** The position of the syntax error. */
  readonly problemAt: number
  /** Returns the keys from the root to each entry of a map, at most `depth` of them. Items of lists have no path. */
  readonly paths: (depth: number) => readonly (readonly string[])[]
}

type Place = { readonly path: YamlString['path']; readonly item: Range | undefined; readonly offset: number }

/** Longer texts are not read: the parser takes more than linear time for errors and tags, about 1 s at this length. */
export const maxYamlCharacters = 100_000

/** Never throws. Adds `offset` to every position. */
export function readYaml(text: string, offset = 0): YamlText {
  if (text.length > maxYamlCharacters) return unread('The text is too long.', offset)
  try {
    // Pretty errors quote the text around each of them.
    const options = { uniqueKeys: false, logLevel: 'silent', strict: false, prettyErrors: false } as const
    const document = parseDocument(text, options)
    const strings: YamlString[] = []
    collect(document.contents, { path: [], item: undefined, offset }, strings)
    const keys = isMap(document.contents) ? document.contents.items.flatMap((pair) => toKey(pair as Pair, offset)) : []
    const error = isLenient(text, document.errors[0]) ? undefined : document.errors[0]
    return {
      strings,
      keys,
      problem: error?.message,
      problemAt: offset + (error?.pos[0] ?? 0),
      paths: (depth) => pathsIn(document.contents, [], depth),
    }
  } catch (error) {
    return unread(error instanceof Error ? error.message : String(error), offset)
  }
}

/** Generators also read a text in quotes that continues without more indentation: the next quote ends its line. */
function isLenient(
  text: string,
  error: { readonly message: string; readonly pos: readonly [number, number] } | undefined,
) {
  const quote = /closing (["'])quote/.exec(error?.message ?? '')?.[1]
  const next = error && quote ? text.indexOf(quote, error.pos[0]) : -1
  return next !== -1 && /^[ \t]*(?:#.*)?(?:\r?\n|$)/.test(text.slice(next + 1, next + 500))
}

function unread(problem: string, problemAt: number): YamlText {
  return { strings: [], keys: [], problem, problemAt, paths: () => [] }
}

function pathsIn(node: unknown, path: readonly string[], depth: number): (readonly string[])[] {
  if (!isMap(node) || depth === 0) return []
  return node.items.flatMap((pair) => {
    const here = [...path, isScalar(pair.key) ? String(pair.key.value) : '']
    return [here, ...pathsIn(pair.value, here, depth - 1)]
  })
}

/** The outermost fields that are strings, those that are lists of strings, and lists of `{ from, to }` as `name.from`. */
export function fieldsIn(strings: readonly YamlString[]): {
  readonly strings: Record<string, string>
  readonly lists: Record<string, readonly string[]>
} {
  const outermost = strings.filter(({ path }) => path.length === 1)
  const items = strings.filter(
    ({ path }) => typeof path[1] === 'number' && (path.length === 2 || (path.length === 3 && path[2] === 'from')),
  )
  const groups = Map.groupBy(items, ({ path: [name, , from] }) => (from === undefined ? String(name) : `${name}.from`))
  return {
    strings: Object.fromEntries(outermost.map(({ path: [key], value }) => [String(key), value])),
    lists: Object.fromEntries([...groups].map(([name, group]) => [name, group.map(({ value }) => value)])),
  }
}

/** Writes a string as YAML on one line, in the given style if that can represent it. */
export function writeYamlString(value: string, style: YamlString['style'] = 'plain'): string {
  const types = { plain: 'PLAIN', single: 'QUOTE_SINGLE', double: 'QUOTE_DOUBLE', block: 'QUOTE_DOUBLE' } as const
  const isOneLine = !/[\n\r]/.test(value)
  const defaultStringType = isOneLine ? types[style] : 'QUOTE_DOUBLE'
  return stringify(value, {
    defaultStringType,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: 1e9,
  }).trimEnd()
}

function collect(node: unknown, place: Place, strings: YamlString[]): void {
  if (isMap(node)) for (const pair of node.items) collectPair(pair, place, strings)
  else if (isSeq(node)) {
    node.items.forEach((item, index) => collectItem(item, { ...place, path: [...place.path, index] }, strings))
  } else if (isScalar(node) && node.range && typeof node.value === 'string' && node.range[1] > node.range[0]) {
    const range = { start: node.range[0] + place.offset, end: node.range[1] + place.offset }
    strings.push({ ...range, path: place.path, value: node.value, style: styleOf(node.type), item: place.item })
  }
}

function collectPair(pair: Pair, place: Place, strings: YamlString[]): void {
  const name = isScalar(pair.key) ? String(pair.key.value) : ''
  collect(pair.value, { ...place, path: [...place.path, name] }, strings)
}

function collectItem(item: unknown, place: Place, strings: YamlString[]): void {
  const single = isScalar(item) || (isMap(item) && item.items.length === 1 && isScalar(item.items[0]?.value))
  const range = single ? (item as Node).range : undefined
  const whole = range ? { start: range[0] + place.offset, end: range[1] + place.offset } : undefined
  collect(item, { ...place, item: whole }, strings)
}

function toKey(pair: Pair, offset: number): YamlKey[] {
  const key = pair.key as Node | null
  const value = pair.value as Node | null
  if (!isScalar(key) || !key.range) return []
  const start = key.range[0] + offset
  const end = key.range[1] + offset
  const range = value?.range ? { start: value.range[0] + offset, end: value.range[1] + offset } : { start: end, end }
  return [{ name: String(key.value), start, end, value: range }]
}

function styleOf(type: string | null | undefined): YamlString['style'] {
  if (type === 'QUOTE_SINGLE') return 'single'
  if (type === 'QUOTE_DOUBLE') return 'double'
  return type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL' ? 'block' : 'plain'
}

/** A value with its keys from the root; `[]` is an item of a list. `tag`: one of its own, such as `!!python/name:x`. */
export type YamlValue = {
  readonly path: readonly string[]
  readonly value: string
  readonly start: number
  readonly tag?: string
}

/** Aliases may stand for more than this; then the text is not read. */
const mostValues = 20_000

/** Reads all values, with aliases and merge keys resolved; undefined for a text that cannot be read. Never throws. */
export function readYamlValues(text: string): readonly YamlValue[] | undefined {
  if (text.length > maxYamlCharacters) return undefined
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false, merge: false })
    if (document.errors.some(({ code }) => code !== 'TAG_RESOLVE_FAILED')) return undefined
    const found: YamlValue[] = []
    collectValues(document, { node: document.contents, path: [], start: 0 }, found)
    return found
  } catch {
    return undefined
  }
}

/** Reads a text as data, with aliases resolved; undefined for a text that cannot be read. Never throws. */
export function readYamlData(text: string): unknown {
  if (text.length > maxYamlCharacters) return undefined
  try {
    return parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false, merge: true }).toJS({
      maxAliasCount: 1000,
    })
  } catch {
    return undefined
  }
}

type ValueAt = { readonly node: unknown; readonly path: readonly string[]; readonly start: number }

/** Throws if there are too many values: an alias may contain aliases. */
function collectValues(document: Document, { node, path, start }: ValueAt, found: YamlValue[]): void {
  if (found.length > mostValues) throw new RangeError('The text has too many values.')
  const target = isAlias(node) ? node.resolve(document) : node
  const at = isNode(node) && node.range ? node.range[0] : start
  const tag = ownTag(target)
  if (isMap(target) && path.length < 100) {
    if (tag !== undefined) found.push({ path, value: '', start: at, tag })
    for (const { key, value } of target.items) {
      const name = isScalar(key) ? String(key.value) : ''
      const place = isNode(key) && key.range ? key.range[0] : at
      collectValues(document, { node: value, path: name === '<<' ? path : [...path, name], start: place }, found)
    }
  } else if (isSeq(target) && path.length < 100) {
    if (tag !== undefined) found.push({ path, value: '', start: at, tag })
    for (const item of target.items) collectValues(document, { node: item, path: [...path, '[]'], start: at }, found)
  } else {
    const value = isScalar(target) ? String(target.value) : ''
    found.push({ path, value, start: at, ...(tag === undefined ? {} : { tag }) })
  }
}

/** Returns undefined for a tag of YAML itself. */
function ownTag(node: unknown): string | undefined {
  const tag = isNode(node) ? node.tag : undefined
  if (tag === undefined || /^tag:yaml\.org,2002:[a-z]+$/.test(tag)) return undefined
  return tag.replace('tag:yaml.org,2002:', '!!')
}
