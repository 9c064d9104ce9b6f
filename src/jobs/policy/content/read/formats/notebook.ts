// Reads a notebook of Jupyter: text cells as Markdown, HTML among the results, and code cells, which a generator may run.

import { type JsonNode, readJson } from '../../../../../docs-syntax/json.ts'
import { type Sign, squash } from '../../sign.ts'
import type { Content } from '../kinds.ts'

/** `read` reads a part of it. A notebook that is no JSON is read as HTML. */
export function readNotebook(content: Content, read: (part: Content) => readonly Sign[]): readonly Sign[] {
  const cells = memberOf(readJson(content.text), 'cells')
  if (cells?.kind !== 'array') return read({ ...content, kind: 'html' })
  return cells.members.flatMap(({ node }) => readCell(content, node, read))
}

function readCell(content: Content, cell: JsonNode, read: (part: Content) => readonly Sign[]): readonly Sign[] {
  const source = textOf(memberOf(cell, 'source'))
  const { start } = cell
  const at = (signs: readonly Sign[]) => signs.map((sign) => ({ ...sign, start }))
  if (textOf(memberOf(cell, 'cell_type')) === 'code') {
    const run: Sign = { kind: 'code', key: `cell ${squash(source)}`, what: 'a code cell', start }
    const results = stringsIn(memberOf(cell, 'outputs')).filter((text) => text.includes('<'))
    return [run, ...results.flatMap((text) => at(read({ ...content, text, kind: 'html' })))]
  }
  return at(read({ ...content, path: `${content.path}.md`, text: source, kind: 'markdown' }))
}

function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key && member.name === name)?.node : undefined
}

/** A text, or a list of its lines. */
function textOf(node: JsonNode | undefined): string {
  if (node?.kind === 'string') return node.value
  return node?.kind === 'array' ? node.members.map((member) => textOf(member.node)).join('') : ''
}

function stringsIn(node: JsonNode | undefined): readonly string[] {
  if (node === undefined) return []
  const text = textOf(node)
  if (text !== '') return [text]
  return node.kind === 'object' || node.kind === 'array' ? node.members.flatMap((member) => stringsIn(member.node)) : []
}
