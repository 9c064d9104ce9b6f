// Turns a syntax tree of Markdown or MDX into the ranges of a page. Depends on the shape of the tree, not on the parser.
// attributes.ts reads attributes, HTML and code.

import { collectAttribute, collectExpression, collectLooseImport, collectMarkup } from './attributes.ts'
import { codeElements } from './html.ts'
import type { PageDraft } from './page.ts'
import type { Range } from './text.ts'
import { readYaml } from './yaml.ts'

export type SyntaxNode = {
  readonly type: string
  readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
  readonly children?: readonly SyntaxNode[]
  readonly attributes?: readonly SyntaxNode[]
  readonly value?: unknown
  readonly name?: string | null
  readonly url?: string | undefined
  readonly alt?: string | null
  readonly depth?: number | undefined
  readonly identifier?: string | undefined
  readonly referenceType?: string | undefined
  readonly data?: { readonly estree?: unknown }
}

type Surroundings = { readonly cell: boolean; readonly code: boolean }

const moduleStatement =
  /^(?:import\s+(?:[\w{*][^"'\n]*\sfrom\s*)?["']|export\s+(?:const|let|default|function|async|class)\s|export\s*[{*])/

/** Collects the ranges of a node and its descendants. Throws if the tree is too deep for the stack. */
export function collectPage(
  node: SyntaxNode,
  draft: PageDraft,
  around: Surroundings = { cell: false, code: false },
): void {
  const inside = collectNode(node, draft, around)
  if (!inside) return
  let element: string | undefined
  for (const child of node.children ?? []) {
    const tag = child.type === 'html' ? /^<(\/?)([\w.]+)/.exec(String(child.value)) : null
    if (tag?.[1] && tag[2] === element) element = undefined
    else if (!element && tag?.[2] && !tag[1] && codeElements.has(tag[2])) element = tag[2]
    collectPage(child, draft, element ? { ...inside, code: true } : inside)
  }
}

/** Collects the ranges of the node itself. Returns the surroundings of its children, or undefined to skip them. */
function collectNode(node: SyntaxNode, draft: PageDraft, around: Surroundings): Surroundings | undefined {
  const range = rangeOf(node)
  switch (node.type) {
    case 'text':
      if (around.code) draft.code.push(range)
      else if (draft.isLoose && !around.cell) collectMarkup(range, draft)
      else draft.prose.push({ ...range, kind: around.cell ? 'cell' : 'text' })
      return undefined
    case 'paragraph':
      if (!draft.isLoose || !moduleStatement.test(draft.source.slice(range.start, range.end))) return around
      collectLooseImport(range, draft)
      return undefined
    case 'inlineCode':
    case 'code':
      draft.code.push(range)
      return undefined
    case 'yaml':
    case 'toml':
      collectFrontmatter(node.type, range, draft)
      return undefined
    case 'html':
      collectMarkup(range, draft)
      return undefined
    case 'heading':
      draft.headings.push({ ...range, depth: node.depth ?? 1, text: textOf(node) })
      return around
    case 'tableCell':
      return { ...around, cell: true }
    case 'link':
    case 'image':
    case 'definition':
      return collectLink(node, draft, around)
    case 'linkReference':
    case 'imageReference':
      return collectReference(node, draft, around)
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      collectElement(node, draft)
      return codeElements.has(node.name ?? '') ? { ...around, code: true } : around
    case 'mdxjsEsm':
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      collectExpression(node.data?.estree, draft)
      return undefined
    default:
      return around
  }
}

function collectLink(node: SyntaxNode, draft: PageDraft, around: Surroundings): Surroundings | undefined {
  const whole = rangeOf(node)
  const kind = node.type === 'link' ? 'link' : node.type === 'image' ? 'image' : 'definition'
  const isImage = kind === 'image'
  const common = { url: node.url ?? '', whole, element: undefined, identifier: node.identifier }
  if (kind === 'link' && draft.source[whole.start] !== '[') {
    const edge = draft.source[whole.start] === '<' ? 1 : 0
    const inside = { start: whole.start + edge, end: whole.end - edge }
    draft.links.push({ ...common, ...inside, kind: 'autolink', label: inside })
    return undefined
  }
  const labelStart = whole.start + (isImage ? 2 : 1)
  const lastChild = node.children?.at(-1)
  const labelEnd = lastChild ? rangeOf(lastChild).end : findBracketEnd(draft.source, labelStart)
  const label = { start: labelStart, end: labelEnd }
  const destination = findDestination(draft.source, labelEnd + 2)
  draft.links.push({ ...common, ...destination, kind, label: kind === 'definition' ? undefined : label })
  if (kind === 'definition') draft.labels.push({ ...label, identifier: node.identifier ?? '', isShown: false })
  if (isImage && label.end > label.start) draft.prose.push({ ...label, kind: around.cell ? 'cell' : 'text' })
  return kind === 'link' ? around : undefined
}

function collectReference(node: SyntaxNode, draft: PageDraft, around: Surroundings): Surroundings | undefined {
  const range = rangeOf(node)
  const isImage = node.type === 'imageReference'
  const identifier = node.identifier ?? ''
  const start = range.start + (isImage ? 2 : 1)
  const isFull = node.referenceType === 'full'
  const suffix = node.referenceType === 'collapsed' ? 3 : 1
  const nameStart = draft.source.lastIndexOf('[', range.end - 1) + 1
  const label = { start, end: isFull ? draft.source.lastIndexOf(']', nameStart) : range.end - suffix }
  draft.references.push({ ...range, identifier, label })
  const name = isFull ? { start: nameStart, end: range.end - 1 } : label
  draft.labels.push({ ...name, identifier, isShown: !isFull })
  if (isFull && isImage && label.end > label.start) draft.prose.push({ ...label, kind: around.cell ? 'cell' : 'text' })
  return isFull ? around : undefined
}

function collectElement(node: SyntaxNode, draft: PageDraft): void {
  const tag = { ...rangeOf(node), name: node.name ?? '' }
  for (const attribute of node.attributes ?? []) {
    const range = rangeOf(attribute)
    const written = draft.source.slice(range.start, range.end)
    const equals = /^[^\s=]+\s*=\s*/.exec(written)
    if (!equals || attribute.type !== 'mdxJsxAttribute') {
      collectExpression(attribute.data?.estree, draft)
      continue
    }
    const value = { start: range.start + equals[0].length + 1, end: range.end - 1 }
    if (typeof attribute.value === 'string') {
      collectAttribute({ ...range, name: attribute.name ?? '', value, text: attribute.value, element: tag }, draft)
    } else collectExpression((attribute.value as SyntaxNode | null)?.data?.estree, draft)
  }
}

function collectFrontmatter(kind: 'yaml' | 'toml', range: Range, draft: PageDraft): void {
  const lines = draft.source.slice(range.start, range.end)
  const first = /^.*(?:\r\n|\r|\n)/.exec(lines)?.[0].length ?? 0
  const last = /(?:\r\n|\r|\n).*$/.exec(lines)?.index ?? 0
  const body = { start: range.start + first, end: Math.max(range.start + first, range.start + last) }
  const { source } = draft
  let yaml: ReturnType<typeof readYaml> | undefined
  // Read when it is needed: checks read the fields themselves.
  const read = () => (kind === 'yaml' ? (yaml ??= readYaml(source.slice(body.start, body.end), body.start)) : undefined)
  draft.frontmatter = {
    ...range,
    body,
    kind,
    get strings() {
      return read()?.strings ?? []
    },
    get problem() {
      return read()?.problem
    },
  }
}

/** Returns the position of the `]` that closes the bracket whose content starts at `start`. */
function findBracketEnd(source: string, start: number): number {
  let depth = 0
  for (let index = start; index < source.length; index++) {
    const character = source[index]
    if (character === '\\') index += 1
    else if (character === '[') depth += 1
    else if (character === ']' && depth-- === 0) return index
  }
  return source.length
}

/** Returns the range of a link destination. `from` is the position after `](` or `]:`. */
function findDestination(source: string, from: number): Range {
  const start = from + (/^[\s>]*/.exec(source.slice(from, from + 1000))?.[0].length ?? 0)
  if (source[start] === '<') return { start: start + 1, end: source.indexOf('>', start) }
  let depth = 0
  for (let index = start; index < source.length; index++) {
    const character = source[index] ?? ''
    if (character === '\\') index += 1
    else if (character === '(') depth += 1
    else if (/\s/.test(character) || (character === ')' && depth-- === 0)) return { start, end: index }
  }
  return { start, end: source.length }
}

function rangeOf(node: SyntaxNode): Range {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
}

function textOf(node: SyntaxNode): string {
  if (typeof node.value === 'string' && (node.type === 'text' || node.type === 'inlineCode')) return node.value
  if (node.alt) return node.alt
  return (node.children ?? []).map((child) => textOf(child)).join('')
}
