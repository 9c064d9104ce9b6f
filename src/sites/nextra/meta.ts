// The entries of a script `_meta` of Nextra: the keys of the object that it exports are names of pages and folders. Nextra
// does not build a site with a key that names nothing, unless the entry is a separator, a menu or a link.

import { posix } from 'node:path'
import { parseScript, type ScriptNode } from '../../docs-syntax/script/script.ts'
import { lineAt, lineStarts, type Range } from '../../docs-syntax/text.ts'

export type MetaKey = Range & { readonly name: string; readonly line: number; readonly href: string | undefined }

/** Undefined: the script does not parse, or makes its object in another way. */
export function readMeta(path: string, text: string): MetaKey[] | undefined {
  const script = parseScript(text, posix.extname(path).includes('ts') ? 'typescript' : 'javascript')
  const body = script?.body ?? []
  const exported = body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration
  const object = exported?.type === 'Identifier' ? constantOf(body, exported.name) : exported
  if (object?.type !== 'ObjectExpression') return undefined
  const starts = lineStarts(text)
  return object.properties.flatMap((one): MetaKey[] => {
    const name = one.type === 'Property' && !one.computed ? textOf(one.key) : undefined
    if (one.type !== 'Property' || name === undefined || name === '*') return []
    // A value that is not known may hold the address that the entry leads to.
    if (!isKnown(one.value)) return []
    const type = fieldOf(one.value, 'type')
    const href = fieldOf(one.value, 'href')
    if (type === 'separator' || type === 'menu') return []
    const { start, end } = one.key
    return [{ name, href, start, end, line: lineAt(starts, start) }]
  })
}

function constantOf(body: readonly ScriptNode[], name: string): ScriptNode | undefined {
  const found = body.flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : []))
  return found.find(({ id }) => id.type === 'Identifier' && id.name === name)?.init ?? undefined
}

function isKnown(node: ScriptNode): boolean {
  if (node.type === 'ObjectExpression') return node.properties.every(({ type }) => type === 'Property')
  return node.type === 'Literal' || node.type === 'TemplateLiteral'
}

/** An empty text for a value that is not known. */
function fieldOf(node: ScriptNode, name: string): string | undefined {
  if (node.type !== 'ObjectExpression') return undefined
  const found = node.properties.find((one) => one.type === 'Property' && textOf(one.key) === name)
  return found?.type === 'Property' ? (found.value.type === 'Literal' ? String(found.value.value) : '') : undefined
}

function textOf(node: ScriptNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : undefined
}
