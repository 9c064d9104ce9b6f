// Makes JavaScript of the sources: Node.js refuses TypeScript below `node_modules`. Types become spaces, and `.js` is as long as
// `.ts`, so every position stays: the stack trace of an installed package names the lines of the sources, without a source map.

import { stripTypeScriptTypes } from 'node:module'
import { parseAst } from 'rolldown/parseAst'

type Node = { readonly type: string; readonly [name: string]: unknown }
type Literal = Node & { readonly value: unknown; readonly end: number }

/** The text with the names of the JavaScript files instead of those of the sources. Throws for text that is no TypeScript. */
export function toJavaScript(text: string): string {
  const stripped = stripTypeScriptTypes(text)
  const named = fileNames(parseAst(stripped) as unknown as Node)
  const letters = stripped.split('')
  // The last letters are `ts` and a quote.
  for (const { end } of named) letters[end - 3] = 'j'
  return letters.join('')
}

/** The literals that name a source to import, to require or to start as a thread. */
function fileNames(node: Node): readonly Literal[] {
  const own = [node['source'], isOfUrl(node) || isOfRequire(node) ? firstArgument(node) : undefined]
  const children = Object.values(node).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  return [...own.filter(isFileName), ...children.filter(isNode).flatMap(fileNames)]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

function isFileName(value: unknown): value is Literal {
  return (
    isNode(value) && value.type === 'Literal' && typeof value['value'] === 'string' && value['value'].endsWith('.ts')
  )
}

function firstArgument(node: Node): unknown {
  return (node['arguments'] as readonly unknown[])[0]
}

/** `new URL('worker.ts', import.meta.url)` */
function isOfUrl({ type, callee, arguments: given }: Node): boolean {
  return type === 'NewExpression' && isNamed(callee, 'URL') && (given as readonly unknown[]).length === 2
}

/** `createRequire(import.meta.url)('./remark.ts')` */
function isOfRequire({ type, callee }: Node): boolean {
  return type === 'CallExpression' && isNode(callee) && isNamed(callee['callee'], 'createRequire')
}

function isNamed(value: unknown, name: string): boolean {
  return isNode(value) && value['name'] === name
}
