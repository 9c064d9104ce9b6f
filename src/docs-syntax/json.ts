// Parses JSON (with comments and trailing commas) with the position of every value, so that callers can change one string
// and keep every other byte. Names stay data and never become properties of an object.

import type { Range } from './text.ts'

export type JsonNode = Range & {
  readonly kind: 'object' | 'array' | 'string' | 'other'
  /** The decoded value of a string. */
  readonly value: string
  /** The members of an object or the items of an array, in order. Items have the name ''. */
  readonly members: readonly JsonMember[]
}

/** The range is from the start of the key (or of the item) to the end of the value. */
export type JsonMember = Range & { readonly name: string; readonly key: Range | undefined; readonly node: JsonNode }

/** A string value and its path: the keys from the root, with `[]` for an item of an array. */
export type JsonString = Range & {
  readonly value: string
  readonly path: readonly string[]
  readonly parent: JsonNode
  readonly member: JsonMember
}

const maxDepth = 200
const blank = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
const string = /"(?:[^"\\\n\r]|\\.)*"/y
const bare = /[^\s,\]}[{":/]+/y

type Cursor = { readonly text: string; position: number }

/** Returns the root value; undefined if the text is not JSON. Never throws. */
export function readJson(text: string): JsonNode | undefined {
  const cursor = { text, position: 0 }
  try {
    const node = readValue(cursor, 0)
    skip(cursor, blank)
    return cursor.position === text.length ? node : undefined
  } catch {
    return undefined
  }
}

export function jsonStrings(root: JsonNode): JsonString[] {
  const found: JsonString[] = []
  walk(root, [], found)
  return found
}

/** Returns the range to delete in order to remove a member: includes its comma and the white space that belongs to it. */
export function memberRange(parent: JsonNode, member: JsonMember): Range {
  const index = parent.members.indexOf(member)
  const next = parent.members[index + 1]
  const previous = parent.members[index - 1]
  if (next) return { start: member.start, end: next.start }
  return previous ? { start: previous.end, end: member.end } : { start: parent.start + 1, end: parent.end - 1 }
}

function walk(node: JsonNode, path: readonly string[], found: JsonString[]): void {
  for (const member of node.members) {
    const here = [...path, member.key ? member.name : '[]']
    if (member.node.kind === 'string') {
      const { start, end, value } = member.node
      found.push({ start, end, value, path: here, parent: node, member })
    } else walk(member.node, here, found)
  }
}

function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.position
  const found = pattern.exec(cursor.text)?.[0] ?? ''
  cursor.position += found.length
  return found
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  if (depth > maxDepth) throw new RangeError('The JSON is nested too deeply.')
  skip(cursor, blank)
  const start = cursor.position
  const first = cursor.text[start]
  if (first === '{' || first === '[') return readMembers(cursor, depth)
  if (first === '"') return { kind: 'string', value: readString(cursor), members: [], start, end: cursor.position }
  if (skip(cursor, bare) === '') throw new SyntaxError('A value is missing.')
  return { kind: 'other', value: '', members: [], start, end: cursor.position }
}

function readString(cursor: Cursor): string {
  const written = skip(cursor, string)
  if (written === '') throw new SyntaxError('A string does not end.')
  return String(JSON.parse(written))
}

function readMembers(cursor: Cursor, depth: number): JsonNode {
  const start = cursor.position
  const kind = cursor.text[start] === '{' ? 'object' : 'array'
  const close = kind === 'object' ? '}' : ']'
  const members: JsonMember[] = []
  cursor.position += 1
  for (;;) {
    skip(cursor, blank)
    if (cursor.text[cursor.position] === close) break
    members.push(kind === 'object' ? readProperty(cursor, depth) : readItem(cursor, depth))
    skip(cursor, blank)
    if (cursor.text[cursor.position] === close) break
    if (cursor.text[cursor.position] !== ',') throw new SyntaxError('A comma is missing.')
    cursor.position += 1
  }
  cursor.position += 1
  return { kind, value: '', members, start, end: cursor.position }
}

function readItem(cursor: Cursor, depth: number): JsonMember {
  const node = readValue(cursor, depth + 1)
  return { name: '', key: undefined, node, start: node.start, end: node.end }
}

function readProperty(cursor: Cursor, depth: number): JsonMember {
  const start = cursor.position
  const name = readString(cursor)
  const key = { start, end: cursor.position }
  skip(cursor, blank)
  if (cursor.text[cursor.position] !== ':') throw new SyntaxError('A colon is missing.')
  cursor.position += 1
  const node = readValue(cursor, depth + 1)
  return { name, key, node, start, end: node.end }
}
