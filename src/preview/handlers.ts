// How a page becomes elements of HTML where the standard has no answer: a component or a directive is a box with its
// name, an expression and raw HTML are code, imports and exports are left out. Nothing of a page is ever evaluated.

import type { Content, Element } from './elements.ts'

/** The part of the standard conversion that a handler uses. */
type State = { readonly all: (node: PageNode) => Content[] }
type Handler = (state: State, node: PageNode) => Content | undefined

/** A node of the syntax tree, as far as it is read here. */
export type PageNode = {
  readonly type: string
  readonly name?: string | null
  readonly value?: unknown
  readonly attributes?: readonly Attribute[]
  readonly children?: readonly PageNode[]
}

type Attribute = { readonly type: string; readonly name?: string; readonly value?: unknown }

/** Only these attributes of an HTML element in a page are kept. The sanitiser reads them again. */
const keptAttributes: Readonly<Record<string, string>> = {
  alt: 'alt',
  colspan: 'colSpan',
  open: 'open',
  rowspan: 'rowSpan',
  src: 'src',
  start: 'start',
  title: 'title',
}
/** Attributes that name a component for its readers. */
const titles = ['title', 'label', 'name', 'href']
const comment = /^\s*(?:\/\*[^]*\*\/|<!--[^]*-->)\s*$/
const quoted = /^\s*(["'`])([^"'`\\$]*)\1\s*$/

export const handlers: Readonly<Record<string, Handler>> = {
  paragraph: (state, node) => {
    // A component alone on its line is written inside a paragraph.
    const [only, ...rest] = (node.children ?? []).filter((child) => !isBlank(child))
    if (only?.type === 'mdxJsxTextElement' && rest.length === 0) return toFlow(state, only)
    return element('p', {}, state.all(node))
  },
  html: (_state, node) => toCode(node.value, 'html'),
  yaml: (_state, node) => toBlock(node.value, 'front-matter'),
  toml: (_state, node) => toBlock(node.value, 'front-matter'),
  mdxjsEsm: () => undefined,
  mdxFlowExpression: (_state, node) => toExpression(node, toBlock),
  mdxTextExpression: (_state, node) => toExpression(node, toCode),
  mdxJsxFlowElement: toFlow,
  directive: toBox,
  mdxJsxTextElement: toText,
}

function toFlow(state: State, node: PageNode): Content {
  return isHtml(node) ? toHtml(state, node) : toBox(state, node)
}

function toBox(state: State, node: PageNode): Element {
  const body = state.all(node)
  const head = element('div', { className: ['component-name'] }, nameOf(node))
  return element('div', { className: ['component'] }, body.length === 0 ? [head] : [head, ...body])
}

function toText(state: State, node: PageNode): Content {
  if (isHtml(node)) return toHtml(state, node)
  const name = element('span', { className: ['component-name'] }, nameOf(node))
  return element('span', { className: ['component'] }, [name, ...state.all(node)])
}

/** A fragment has no name. */
function isHtml({ name }: PageNode): boolean {
  return name === null || name === undefined || /^[a-z][a-z0-9]*$/.test(name)
}

function toHtml(state: State, node: PageNode): Content {
  const kept = (node.attributes ?? []).flatMap(({ name = '', value }) => {
    const property = keptAttributes[name.toLowerCase()]
    return property === undefined || (typeof value !== 'string' && value !== null) ? [] : [[property, value ?? true]]
  })
  return element(node.name ?? 'div', Object.fromEntries(kept), state.all(node))
}

function nameOf({ name, attributes = [] }: PageNode): Content[] {
  const given = titles.map((key) => attributes.find((one) => one.name === key && typeof one.value === 'string'))
  const title = given.find((one) => one !== undefined)?.value
  const words: Content[] = [{ type: 'text', value: name ?? '' }]
  return typeof title === 'string' ? [...words, { type: 'text', value: ` · ${title}` }] : words
}

function toExpression(node: PageNode, show: (value: unknown, kind: CodeKind) => Content | undefined) {
  const text = typeof node.value === 'string' ? node.value : ''
  if (text.trim() === '' || comment.test(text)) return undefined
  const literal = quoted.exec(text)
  return literal ? ({ type: 'text', value: literal[2] ?? '' } as const) : show(`{${text}}`, 'expression')
}

type CodeKind = 'html' | 'expression' | 'front-matter'

function toCode(value: unknown, kind: CodeKind): Element | undefined {
  const text = typeof value === 'string' ? value : ''
  return comment.test(text) ? undefined : element('code', { className: [kind] }, [{ type: 'text', value: text }])
}

function toBlock(value: unknown, kind: CodeKind): Element {
  const text = typeof value === 'string' ? value : ''
  return element('pre', {}, [element('code', { className: [kind] }, [{ type: 'text', value: text }])])
}

function isBlank({ type, value }: PageNode): boolean {
  return type === 'text' && typeof value === 'string' && value.trim() === ''
}

function element(tagName: string, properties: Element['properties'], children: Content[]): Element {
  return { type: 'element', tagName, properties, children }
}
