// The strings of a script, with their positions and the keys that lead to them. Evaluates nothing: only literal strings
// are known, anywhere in the file.

import { type ScriptNode, parseScript } from './script.ts'
import type { Range } from '../text.ts'

/** The strings of an object, by their keys. */
export type ScriptObject = { readonly keys: readonly string[]; readonly strings: Readonly<Record<string, string>> }

/** The range includes the quotes. */
export type ScriptString = Range & {
  readonly value: string
  /** The keys from the outermost object, with `[]` for an item of a list and `()` for an argument. */
  readonly keys: readonly string[]
  /** The objects around the string, the innermost one last. Empty in a list that is in no object. */
  readonly objects: readonly ScriptObject[]
  /** The item of a list that is the string, or an object without a list or code in it that has the string. */
  readonly item: Range | undefined
}

type Place = Pick<ScriptString, 'keys' | 'objects' | 'item'>

/** Returns undefined if the text does not parse. Never throws. */
export function readScriptStrings(path: string, text: string): ScriptString[] | undefined {
  const script = parseScript(text, /ts$/i.test(path) ? 'typescript' : 'javascript')
  if (!script) return undefined
  const found: ScriptString[] = []
  walk(script.body, { keys: [], objects: [], item: undefined }, found)
  return found
}

/** The strings beside a string in the same object; an item of a list has no such strings. */
export function siblingsOf({ keys, objects }: ScriptString): Readonly<Record<string, string>> {
  return keys.at(-1) === '[]' ? {} : (objects.at(-1)?.strings ?? {})
}

function walk(node: unknown, place: Place, found: ScriptString[]): void {
  if (Array.isArray(node)) for (const one of node) walk(one, place, found)
  if (!isNode(node)) return
  const { keys, objects, item } = place
  const value = stringOf(node)
  if (value !== undefined) found.push({ value, keys, objects, item, start: node.start, end: node.end })
  else if (node.type === 'ArrayExpression') {
    for (const one of node.elements) {
      const isPlain = one !== null && isPlainItem(one)
      const range = isPlain ? { start: one.start, end: one.end } : undefined
      walk(one, { ...place, keys: [...keys, '[]'], item: range }, found)
    }
  } else if (node.type === 'ObjectExpression') walkObject(node, place, found)
  else if (node.type === 'CallExpression') {
    // A string that a function gets is whatever the function makes of it.
    for (const one of node.arguments)
      walk(one, { ...place, item: undefined, keys: one.type === 'Literal' ? [...keys, '()'] : keys }, found)
    walk(node.callee, place, found)
  } else if (node.type === 'ImportDeclaration') return
  else for (const child of Object.values(node)) if (typeof child === 'object') walk(child, place, found)
}

type ObjectNode = Extract<ScriptNode, { type: 'ObjectExpression' }>

function walkObject(node: ObjectNode, place: Place, found: ScriptString[]): void {
  const objects = [...place.objects, { keys: place.keys, strings: propertiesOf(node) }]
  for (const property of node.properties) {
    if (property.type === 'Property')
      walk(property.value, { ...place, objects, keys: [...place.keys, nameOf(property.key)] }, found)
    else walk(property.argument, place, found)
  }
}

/** A string, or an object of literals, at any depth. */
function isPlainItem(node: ScriptNode): boolean {
  if (node.type === 'Literal' || stringOf(node) !== undefined) return true
  return (
    node.type === 'ObjectExpression' &&
    node.properties.every((one) => one.type === 'Property' && isPlainItem(one.value))
  )
}

function propertiesOf(node: ObjectNode): Record<string, string> {
  const pairs = node.properties.flatMap((one) => {
    const value = one.type === 'Property' ? stringOf(one.value) : undefined
    return one.type === 'Property' && value !== undefined ? [[nameOf(one.key), value]] : []
  })
  return Object.fromEntries(pairs) as Record<string, string>
}

function nameOf(key: ScriptNode): string {
  return key.type === 'Identifier' ? key.name : (stringOf(key) ?? '')
}

function stringOf(node: ScriptNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
