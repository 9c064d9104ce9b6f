// Lists the code of a script: every statement and value that is not data, each as a key that does not change when only data
// changes. Data cannot run: it consists of literals, lists and objects that are stored, exported or returned, or that are
// in an object passed to a package (`defineConfig({ … })`). Everything that is not known to be data counts as code.

import type { Script, ScriptNode } from '../../../docs-syntax/script/script.ts'
import { isFromPackage, type Names, readNames } from './names.ts'
import { describeCode, isFunction, isNode, membersOf } from './nodes.ts'

export type Code = { readonly key: string; readonly start: number; readonly what: string }

/** The placeholder for data in a key. */
const hole = '◇'
/** Strings in lists under these properties are modules to load. `all`: their content reaches the pages unchanged. */
const loading: Readonly<Record<string, Loads>> = {
  plugins: 'lists',
  presets: 'lists',
  themes: 'lists',
  clientModules: 'lists',
  integrations: 'lists',
  modules: 'lists',
  extends: 'lists',
  remarkPlugins: 'lists',
  rehypePlugins: 'lists',
  scripts: 'all',
  head: 'all',
  headTags: 'all',
  vite: 'all',
  webpack: 'all',
  esbuild: 'all',
  define: 'all',
  rollupOptions: 'all',
  alias: 'all',
  proxy: 'all',
  algolia: 'all',
  docsearch: 'all',
  docSearch: 'all',
  typesense: 'all',
  appId: 'all',
  apiKey: 'all',
  trackingID: 'all',
  measurementId: 'all',
  containerId: 'all',
  customCss: 'lists',
  stylesheets: 'lists',
}
type Loads = 'no' | 'lists' | 'all'

type Reader = { readonly names: Names; readonly namesModules: boolean; readonly found: Code[] }
/** The position of a value: the names of the properties that contain it, and whether a string there names a module. */
type Place = { readonly at: string; readonly loads: Loads }

/** `namesModules`: strings under `plugins` and similar names count as code. May throw if the tree is too deep for the stack. */
export function readCode(script: Script, namesModules: boolean): readonly Code[] {
  const reader: Reader = { names: readNames(script), namesModules, found: [] }
  for (const statement of script.body) {
    const key = printStatement(reader, statement)
    if (key !== '') add(reader, statement, key)
  }
  return reader.found
}

function add({ found }: Reader, node: ScriptNode, key: string, what = describeCode(node)): void {
  found.push({ key, start: node.start, what })
}

/** Returns the key of a statement; empty if it contains only data. */
function printStatement(reader: Reader, node: ScriptNode): string {
  if (node.type === 'EmptyStatement') return ''
  if (node.type === 'VariableDeclaration') return node.declarations.map((one) => printDeclarator(reader, one)).join('')
  if (node.type === 'ExportNamedDeclaration' && node.declaration) return printStatement(reader, node.declaration)
  if (node.type === 'ExportDefaultDeclaration') return named('export default', printValue(reader, node.declaration))
  if (node.type === 'ReturnStatement') return `return ${node.argument ? printValue(reader, node.argument) : ''}`
  if (node.type === 'BlockStatement') return `{${node.body.map((one) => printStatement(reader, one)).join(';')}}`
  if (node.type !== 'ExpressionStatement') return print(reader, node, false)
  return 'directive' in node && node.directive ? '' : printExpression(reader, node.expression)
}

function printDeclarator(reader: Reader, node: ScriptNode): string {
  if (node.type !== 'VariableDeclarator') return print(reader, node, true)
  const { id, init } = node
  const isExact = id.type !== 'Identifier' || reader.names.exact.has(id.name)
  if (isExact || !init) return print(reader, node, true)
  return named(`${id.name} =`, printValue(reader, init))
}

/** `module.exports = …` stores a value. Every other expression statement is code. */
function printExpression(reader: Reader, node: ScriptNode): string {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return print(reader, node, false)
  const target = print(reader, node.left, true)
  if (!exported.has(target)) return print(reader, node, true)
  return named('module.exports =', printValue(reader, node.right))
}

const exported = new Set(['module.exports', 'exports.default', 'exports.config'])

function named(name: string, value: string): string {
  return value === hole ? '' : `${name} ${value}`
}

function printValue(reader: Reader, node: ScriptNode): string {
  return readValue(reader, node, { at: '', loads: 'no' })
}

/** Returns the key of a value: the placeholder for data. Adds code inside lists and objects separately. */
function readValue(reader: Reader, node: ScriptNode, place: Place): string {
  if (node.type === 'Identifier') return readName(reader, node, place)
  if (node.type === 'TemplateLiteral' && node.expressions.length > 0) {
    return `\`${node.expressions.map((one) => print(reader, one, true)).join(hole)}\``
  }
  if (isConstant(node)) {
    if (place.loads !== 'no' && node.type !== 'UnaryExpression') addModule(reader, node, place)
    return hole
  }
  if (node.type === 'ArrayExpression') {
    for (const one of node.elements) if (one) readElement(reader, one, place)
    return hole
  }
  if (node.type === 'ObjectExpression') {
    for (const one of node.properties) readProperty(reader, one, place)
    return hole
  }
  return print(reader, node, false)
}

/** A regular expression is code: it may take forever. */
function isConstant(node: ScriptNode): boolean {
  if (node.type === 'Literal') return !('regex' in node && node.regex)
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0
  return node.type === 'UnaryExpression' && constantSigns.has(node.operator) && isConstant(node.argument)
}

const constantSigns = new Set(['-', '+', '!', 'void'])

function readName(reader: Reader, node: ScriptNode & { readonly name: string }, place: Place): string {
  if (['undefined', 'NaN', 'Infinity'].includes(node.name)) return hole
  const value = reader.names.data.get(node.name)
  if (!value) return node.name
  if (place.loads !== 'no') addModule(reader, value, place)
  return hole
}

function readElement(reader: Reader, node: ScriptNode, place: Place): void {
  const isSpread = node.type === 'SpreadElement'
  const key = readValue(reader, isSpread ? node.argument : node, place)
  if (key !== hole) add(reader, node, `${place.at}[${isSpread ? '...' : ''}${key}]`)
}

function readProperty(reader: Reader, node: ScriptNode, { at, loads }: Place): void {
  const name = node.type === 'Property' && !node.computed ? nameOf(node.key) : undefined
  const isPlain = node.type === 'Property' && node.kind === 'init' && !node.method && name !== '__proto__'
  if (!isPlain || name === undefined) {
    const key =
      node.type === 'SpreadElement' ? readValue(reader, node.argument, { at, loads }) : print(reader, node, false)
    if (key !== hole) add(reader, node, `${at}{${node.type === 'SpreadElement' ? '...' : ''}${key}}`)
    return
  }
  const below = reader.namesModules && Object.hasOwn(loading, name) ? loading[name] : undefined
  const inside = { at: `${at}.${name}`, loads: below ?? (loads === 'all' ? 'all' : 'no') }
  const key = readValue(reader, node.value, inside)
  if (key !== hole) add(reader, node, `${inside.at}: ${key}`)
}

function nameOf(node: ScriptNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function addModule(reader: Reader, node: ScriptNode, { at, loads }: Place): void {
  const what = loads === 'all' ? 'something that every page loads' : 'a module that the site loads'
  add(reader, node, `${at} loads ${print(reader, node, true)}`, what)
}

/**
 * Prints the whole node as text. Unless `isExactHere`, the placeholder replaces data that is returned, or passed to a
 * package in an object.
 */
function print(reader: Reader, node: ScriptNode, isExactHere: boolean): string {
  const isExact = isExactHere || (node.type === 'FunctionDeclaration' && reader.names.exact.has(node.id?.name ?? ''))
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression' && !node.computed && !node.optional) {
    return `${print(reader, node.object, isExact)}.${print(reader, node.property, isExact)}`
  }
  if (!isExact) {
    const loose = printLoosely(reader, node)
    if (loose !== undefined) return loose
  }
  const members = membersOf(node).map(([name, value]) => `${name}:${printMember(reader, value, isExact)}`)
  return `${node.type}(${members.join()})`
}

function printLoosely(reader: Reader, node: ScriptNode): string | undefined {
  if (node.type === 'CallExpression') {
    const isPackage = isFromPackage(node.callee, reader.names.fromPackages)
    const given = node.arguments.map((one) =>
      isPackage && one.type === 'ObjectExpression' ? printValue(reader, one) : print(reader, one, !isPackage),
    )
    return `${print(reader, node.callee, false)}(${given.join()})`
  }
  if (isFunction(node)) {
    const head = `${node.async ? 'async ' : ''}function${node.generator ? '*' : ''} ${node.id?.name ?? ''}`
    const body = node.body.type === 'BlockStatement' ? printStatement(reader, node.body) : printValue(reader, node.body)
    return `${head}(${node.params.map((one) => print(reader, one, true)).join()}) ${body}`
  }
  return statements.has(node.type) ? printStatement(reader, node) : undefined
}

const statements = new Set(['BlockStatement', 'ReturnStatement', 'VariableDeclaration', 'ExpressionStatement'])

function printMember(reader: Reader, value: unknown, isExact: boolean): string {
  if (isNode(value)) return print(reader, value, isExact)
  if (Array.isArray(value)) return `[${value.map((one) => printMember(reader, one, isExact)).join()}]`
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'undefined')
}
