// The strings of a configuration file, JSON, YAML or a script, each with the keys that lead to it. Evaluates nothing: of a
// script, only literal strings are known, anywhere in the file.

import { jsonStrings, readJson } from '../../docs-syntax/json.ts'
import { parseScript, type ScriptNode } from '../../docs-syntax/script.ts'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { readYaml } from '../../docs-syntax/yaml.ts'
import type { Problem } from './page-facts.ts'
import { readData } from './read-data.ts'

export type ConfigString = {
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
  return { strings: readStrings(path, text) ?? [], problem: isData ? readData(path, text).problem : null }
}

/** Undefined: the text does not parse. */
function readStrings(path: string, text: string): ConfigString[] | undefined {
  if (/\.toml$/i.test(path)) return undefined
  if (/\.jsonc?$/i.test(path)) return readJsonStrings(text)
  return /\.ya?ml$/i.test(path) ? readYamlStrings(text) : readScriptStrings(path, text)
}

function readJsonStrings(text: string): ConfigString[] | undefined {
  const root = readJson(text)
  const starts = lineStarts(text)
  return (
    root &&
    jsonStrings(root).map(({ value, path, start, parent }) => {
      const pairs = parent.members.flatMap(({ key, name, node }) =>
        key && node.kind === 'string' ? [[name, node.value]] : [],
      )
      return {
        value,
        keys: path,
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
  return strings.map(({ value, path, start }) => ({
    value,
    keys: path.map((key) => (typeof key === 'number' ? '[]' : key)),
    line: lineAt(starts, start),
    siblings: {},
  }))
}

function readScriptStrings(path: string, text: string): ConfigString[] | undefined {
  const script = parseScript(text, /ts$/i.test(path) ? 'typescript' : 'javascript')
  if (!script) return undefined
  const starts = lineStarts(text)
  const found: ConfigString[] = []
  const walk = (node: unknown, keys: readonly string[], siblings: ConfigString['siblings']): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, keys, siblings)
    if (!isNode(node)) return
    const value = stringOf(node)
    if (value !== undefined) found.push({ value, keys, line: lineAt(starts, node.start), siblings })
    else if (node.type === 'ArrayExpression') for (const item of node.elements) walk(item, [...keys, '[]'], {})
    else if (node.type === 'ObjectExpression') {
      const beside = propertiesOf(node)
      for (const property of node.properties) {
        if (property.type === 'Property') walk(property.value, [...keys, nameOf(property.key)], beside)
        else walk(property.argument, keys, siblings)
      }
    } else if (node.type === 'CallExpression') {
      // A string that a function gets is whatever the function makes of it.
      for (const one of node.arguments) walk(one, one.type === 'Literal' ? [...keys, '()'] : keys, siblings)
      walk(node.callee, keys, siblings)
    } else if (node.type === 'ImportDeclaration') return
    else for (const child of Object.values(node)) if (typeof child === 'object') walk(child, keys, siblings)
  }
  walk(script.body, [], {})
  return found
}

function propertiesOf(node: Extract<ScriptNode, { type: 'ObjectExpression' }>): Record<string, string> {
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
