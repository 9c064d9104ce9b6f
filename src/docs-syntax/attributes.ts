// Reads the attributes, HTML and code of an MDX page: finds prose in titles, URLs in strings, and ids. Treats code as a
// tree of strings and evaluates nothing.

import { type TagAttribute, readMarkup } from './html.ts'
import type { PageDraft, PageLink } from './page.ts'
import type { Range } from './text.ts'

export type Attribute = Range & {
  readonly name: string
  /** The text between the quotes, as written. */
  readonly value: Range
  /** The value with character references resolved. */
  readonly text: string
  readonly element: PageLink['element']
}

const proseAttributes = new Set(
  (
    'title description label alt caption tip tooltip heading header headline subtitle summary text placeholder ' +
    'aria-label sidebarTitle'
  ).split(' '),
)
const linkAttributes = new Set(['href', 'src', 'to'])
const localAddress = /^(?:\/(?!\/)|\.\.?\/)/

export function collectAttribute(attribute: Attribute, draft: PageDraft): void {
  const { name, value, text, element, start, end } = attribute
  if (value.end <= value.start) return
  if (linkAttributes.has(name) || localAddress.test(text)) {
    const common = { whole: { start, end }, label: undefined, identifier: undefined }
    draft.links.push({ ...value, ...common, kind: 'attribute', url: text, element })
  } else if (name === 'id' || name === 'name') draft.ids.push(text)
  else if (proseAttributes.has(name)) draft.prose.push({ ...value, kind: 'attribute' })
}

/** Collects the text, code and attributes from a range of HTML. */
export function collectMarkup(range: Range, draft: PageDraft): void {
  // Most texts have no tag.
  if (!draft.source.slice(range.start, range.end).includes('<')) {
    if (range.end > range.start) draft.prose.push({ start: range.start, end: range.end, kind: 'text' })
    return
  }
  const markup = readMarkup(draft.source, range)
  for (const text of markup.text) draft.prose.push({ ...text, kind: 'text' })
  draft.code.push(...markup.code)
  for (const { attributes, name, start, end } of markup.tags)
    for (const attribute of attributes) collectTagAttribute(attribute, { name, start, end }, draft)
}

function collectTagAttribute(attribute: TagAttribute, element: PageLink['element'], draft: PageDraft): void {
  const { start, end } = attribute.value
  const written = draft.source.slice(start, end)
  if (attribute.quote !== '{') {
    collectAttribute({ ...attribute, text: written.replaceAll('&amp;', '&'), element }, draft)
    return
  }
  const literal = /^\s*(["'])([^"'\\]*)\1\s*$/.exec(written)
  if (literal?.[2] !== undefined && localAddress.test(literal[2])) {
    const at = start + written.indexOf(literal[2])
    collectLiteral({ start: at - 1, end: at + literal[2].length + 1 }, literal[2], draft)
  }
}

/** Collects URLs from the strings of an expression or a module statement. `tree` is the ESTree from the parser. */
export function collectExpression(tree: unknown, draft: PageDraft): void {
  const waiting: unknown[] = [tree]
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const { type, start, end, value, source } = node as Record<string, unknown>
    if (type === 'Literal' && typeof value === 'string' && typeof start === 'number' && typeof end === 'number') {
      if (localAddress.test(value)) collectLiteral({ start, end }, value, draft)
    } else if (type === 'ImportDeclaration' || type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration') {
      collectImport(source, { start: Number(start), end: Number(end) }, draft)
      if (type === 'ExportNamedDeclaration') waiting.push((node as Record<string, unknown>)['declaration'])
    } else waiting.push(...Object.values(node).filter((child) => typeof child === 'object' && child !== null))
  }
}

/** Collects the import from a module statement as text, for pages whose code did not parse. */
export function collectLooseImport(range: Range, draft: PageDraft): void {
  const written = draft.source.slice(range.start, range.end)
  for (const found of written.matchAll(/(?:\bfrom|^import)\s*(["'])([^"'\n\r\\]+)\1/gm)) {
    const end = range.start + found.index + found[0].length
    pushString(
      { start: end - (found[2] ?? '').length - 2, end },
      { kind: 'import', url: found[2] ?? '', whole: range },
      draft,
    )
  }
}

function collectImport(source: unknown, whole: Range, draft: PageDraft): void {
  const { start, end, value } = (source ?? {}) as Record<string, unknown>
  if (typeof value !== 'string' || typeof start !== 'number' || typeof end !== 'number') return
  pushString({ start, end }, { kind: 'import', url: value, whole }, draft)
}

function collectLiteral(range: Range, url: string, draft: PageDraft): void {
  pushString(range, { kind: 'expression', url, whole: range }, draft)
}

function pushString(range: Range, link: Pick<PageLink, 'kind' | 'url' | 'whole'>, draft: PageDraft): void {
  const inside = { start: range.start + 1, end: range.end - 1 }
  if (!/["'`]/.test(draft.source[range.start] ?? '')) return
  draft.links.push({ ...inside, ...link, label: undefined, element: undefined, identifier: undefined })
}
