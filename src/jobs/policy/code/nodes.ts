// Small predicates and helpers for nodes of a syntax tree.

import { isBuiltin } from 'node:module'
import type { ScriptNode } from '../../../docs-syntax/script/script.ts'
import { startOf } from '../../../lib/plain-text.ts'

const places = new Set(['type', 'start', 'end', 'loc', 'range', 'raw', 'sourceFile'])

/** Returns the members of a node in order, without its position. */
export function membersOf(node: ScriptNode): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(node).filter(([name]) => !places.has(name))
}

export function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function childrenOf(node: ScriptNode): readonly ScriptNode[] {
  return membersOf(node).flatMap(([, value]) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

/** Yields the node and all its descendants. */
export function* walk(node: ScriptNode): Generator<ScriptNode> {
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    waiting.push(...childrenOf(next).toReversed())
  }
}

/** Whether the node names a package, as opposed to a file or a Node.js module. */
export function namesPackage(node: ScriptNode | null | undefined): boolean {
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return false
  return /^[@\w]/.test(node.value) && !isBuiltin(node.value)
}

/** Whether the node is `require('x')` or `import('x')` of a package. */
export function isPackageLoad(node: ScriptNode): boolean {
  if (node.type === 'ImportExpression') return namesPackage(node.source)
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return false
  return node.callee.name === 'require' && namesPackage(node.arguments[0])
}

/** Describes code for people; follows "adds". */
export function describeCode(code: ScriptNode): string {
  for (const node of walk(code)) {
    const words = describeNode(node)
    if (words !== undefined) return words
  }
  return code.type.endsWith('Statement') ? 'a statement' : 'an expression'
}

function describeNode(node: ScriptNode): string | undefined {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
    return `a call of \`${startOf(node.callee.name, 50)}\``
  }
  if (node.type === 'TemplateLiteral') return node.expressions.length > 0 ? 'a template expression' : undefined
  if (node.type === 'Property') return node.kind === 'init' ? undefined : 'a getter or setter'
  return isFunction(node) ? 'a function' : words[node.type]
}

type FunctionNode = Extract<
  ScriptNode,
  { readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>

export function isFunction(node: ScriptNode): node is FunctionNode {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}

const words: Readonly<Record<string, string>> = {
  ImportDeclaration: 'an import',
  ImportExpression: 'an import',
  ExportAllDeclaration: 'an export of another module',
  CallExpression: 'a call',
  NewExpression: 'a `new`',
  TaggedTemplateExpression: 'a tagged template',
  SpreadElement: 'a spread',
  ClassDeclaration: 'a class',
  ClassExpression: 'a class',
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an assignment',
}
