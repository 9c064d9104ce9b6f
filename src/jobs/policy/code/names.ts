// Classifies the names in a script: constants that contain only data, values from packages, and data that reaches a call and
// is therefore compared exactly.

import type { Script, ScriptNode } from '../../../docs-syntax/script/script.ts'
import { isPackageLoad, namesPackage, walk } from './nodes.ts'

export type Names = {
  /** Constants whose value is a literal, a list or an object. */
  readonly data: ReadonlyMap<string, ScriptNode>
  /** Imports from packages, such as `defineConfig`, and the values that they returned. */
  readonly fromPackages: ReadonlySet<string>
  /** Names whose value is compared exactly, because it is passed to code: `cmd` in `run(cmd)`. */
  readonly exact: ReadonlySet<string>
}

export function readNames(script: Script): Names {
  const fromPackages = findPackageNames(script)
  return { data: findData(script), fromPackages, exact: findExact(script, fromPackages) }
}

/** Whether the expression comes from a package: `withNextra`, `themes.github`, `require('nextra')({…})`. */
export function isFromPackage(node: ScriptNode, names: ReadonlySet<string>): boolean {
  if (isPackageLoad(node)) return true
  if (node.type === 'Identifier') return names.has(node.name)
  if (node.type === 'MemberExpression') return isFromPackage(node.object, names)
  if (node.type === 'CallExpression') return isFromPackage(node.callee, names)
  return node.type === 'AwaitExpression' && isFromPackage(node.argument, names)
}

function findPackageNames(script: Script): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of script.body) {
    if (node.type === 'ImportDeclaration' && namesPackage(node.source)) {
      for (const { local } of node.specifiers) names.add(local.name)
    }
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue
    for (const { id, init } of node.declarations) {
      if (init && isFromPackage(init, names)) for (const name of namesIn(id)) names.add(name)
    }
  }
  return names
}

function findData(script: Script): ReadonlyMap<string, ScriptNode> {
  const data = new Map<string, ScriptNode>()
  for (const statement of script.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (node?.type !== 'VariableDeclaration' || node.kind !== 'const') continue
    for (const { id, init } of node.declarations) {
      if (id.type === 'Identifier' && init && isDataNode(init)) data.set(id.name, init)
    }
  }
  return data
}

function isDataNode(node: ScriptNode): boolean {
  if (node.type === 'Literal') return !('regex' in node && node.regex)
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0
  return node.type === 'ObjectExpression' || node.type === 'ArrayExpression'
}

function findExact(script: Script, fromPackages: ReadonlySet<string>): ReadonlySet<string> {
  const exact = new Set<string>()
  const values = new Map<string, ScriptNode[]>()
  for (const node of walk(script)) {
    for (const given of givenToCode(node, fromPackages)) for (const name of namesIn(given)) exact.add(name)
    if (node.type === 'VariableDeclarator' && node.init) {
      for (const name of namesIn(node.id)) values.set(name, [...(values.get(name) ?? []), node.init])
    }
    if (node.type === 'FunctionDeclaration' && node.id) {
      values.set(node.id.name, [...(values.get(node.id.name) ?? []), node])
    }
  }
  // Anything that reaches an exact name is exact, too; a set grows while it is read.
  for (const name of exact) {
    for (const value of values.get(name) ?? []) for (const inner of namesIn(value)) exact.add(inner)
  }
  return exact
}

/** Returns the nodes that the node passes to code that is not from a package. */
function givenToCode(node: ScriptNode, fromPackages: ReadonlySet<string>): readonly ScriptNode[] {
  if (node.type === 'ImportExpression') return [node.source]
  if (node.type === 'TaggedTemplateExpression') return [node]
  if (node.type === 'NewExpression') return [...node.arguments]
  if (node.type !== 'CallExpression') return []
  return isFromPackage(node.callee, fromPackages) ? [] : [...node.arguments]
}

function namesIn(node: ScriptNode): readonly string[] {
  return [...walk(node)].flatMap((one) => (one.type === 'Identifier' ? [one.name] : []))
}
