// Reads the link definitions at the start of a paragraph: `[name]: destination "title"`.

import { type Content, createNode, decode, normaliseName } from '../content.ts'
import { isLineBreak } from '../characters.ts'
import {
  readDestination,
  readName,
  readTitle,
  skipBlanks,
  skipBlanksAndBreaks,
  type TitleEnds,
  writtenDestination,
} from '../link-parts.ts'
import type { SyntaxNode } from '../../syntax.ts'

const colon = 58

/** `end`: where the rest of the paragraph begins. `names` gets those of the definitions. */
export function readDefinitions(
  content: Content,
  names: Set<string>,
): { readonly nodes: SyntaxNode[]; readonly end: number } {
  const { text } = content
  const nodes: SyntaxNode[] = []
  const ends: TitleEnds = new Map()
  let at = 0
  while (text.charCodeAt(at) === 91) {
    const node = readDefinition(content, at, { names, ends })
    if (!node) break
    nodes.push(node.node)
    at = skipBlanks(text, afterBreak(text, node.end))
  }
  return { nodes, end: at }
}

type State = { readonly names: Set<string>; readonly ends: TitleEnds }

function readDefinition(content: Content, at: number, { names, ends }: State) {
  const { text } = content
  const name = readName(text, at)
  if (name === -1 || text.charCodeAt(name) !== colon) return undefined
  const start = skipBlanksAndBreaks(text, name + 1)
  const destination = readDestination(text, start, Infinity)
  if (destination === -1) return undefined
  const end = readEnd(text, readTitleAfter(text, destination, ends)) ?? readEnd(text, destination)
  if (end === undefined) return undefined
  const identifier = normaliseName(text.slice(at + 1, name - 1))
  names.add(identifier)
  const url = decode(writtenDestination(text, start, destination))
  return { node: createNode('definition', content, [at, end], { identifier: identifier.toLowerCase(), url }), end }
}

function readTitleAfter(text: string, at: number, ends: TitleEnds): number {
  const start = skipBlanksAndBreaks(text, at)
  return start === at ? -1 : readTitle(text, start, ends)
}

/** The end of the line, if nothing but blanks comes before it. */
function readEnd(text: string, at: number): number | undefined {
  if (at === -1) return undefined
  const end = skipBlanks(text, at)
  return end >= text.length || isLineBreak(text.charCodeAt(end)) ? end : undefined
}

function afterBreak(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? at + 2 : Math.min(text.length, at + 1)
}
