// Turns a page into safe HTML: the syntax tree, then elements, then only those that the schema lets through. Nothing of
// the page runs, nothing is fetched, links lead nowhere. Takes as long as the parser (see docs-syntax/markdown.ts).

import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { isAsciidocPath } from '../docs-syntax/asciidoc/asciidoc.ts'
import { parseTree } from '../docs-syntax/remark/remark.ts'
import { showAsText } from './as-text.ts'
import type { Content, Element, Root } from './elements.ts'
import { handlers } from './handlers.ts'
import { locateImage, type PageImage } from './images.ts'
import { schema } from './schema.ts'
import { asciidocTree } from './tree/asciidoc-tree.ts'
import { rstTree } from './tree/rst-tree.ts'

const toElements = unified()
  .use(remarkRehype, { handlers: handlers as never })
  .freeze()
const toSafeHtml = unified().use(rehypeSanitize, schema).use(rehypeStringify).freeze()

/** A page in a document of its own costs this many images at most. */
const mostImages = 30
/** A longer page of reStructuredText or AsciiDoc is shown as its text. */
const mostCharactersRead = 1_000_000

export type PreparedPage = {
  readonly images: readonly PageImage[]
  /** `addresses`: the `data:` addresses of images by their source. An image without one is named instead of shown. */
  finish(addresses: ReadonlyMap<string, string>): string
}

/** Never throws. */
export function preparePage(path: string, text: string): PreparedPage {
  try {
    const tree = treeOf(path, text)
    if (tree === undefined) return { images: [], finish: () => showAsText(text) }
    const root = toElements.runSync(tree as never) as Root
    const images = new Map<string, PageImage>()
    visit(root, (node) => noteImage(path, node, images))
    return {
      images: [...images.values()],
      finish: (addresses) => {
        visit(root, (node) => settle(node, addresses))
        return toSafeHtml.stringify(toSafeHtml.runSync(root as never))
      },
    }
  } catch {
    // A tree that is too deep for the stack.
    return { images: [], finish: () => showAsText(text) }
  }
}

function treeOf(path: string, text: string): unknown {
  const read = /\.rst$/i.test(path) ? rstTree : isAsciidocPath(path) ? asciidocTree : undefined
  if (!read) return parseTree(path, text)?.tree
  return text.length > mostCharactersRead ? undefined : read(text)
}

function noteImage(path: string, node: Element, images: Map<string, PageImage>): void {
  const source = node.properties['src']
  if (node.tagName !== 'img' || typeof source !== 'string' || images.size >= mostImages) return
  const image = locateImage(path, source)
  if (image) images.set(source, image)
}

/** Changes the element itself: what it may keep is decided by the sanitiser afterwards. */
function settle(node: Element, addresses: ReadonlyMap<string, string>): void {
  if (node.tagName === 'img') settleImage(node, addresses)
  if (node.tagName === 'a') {
    const { href } = node.properties
    Object.assign(node, { tagName: 'span', properties: { className: ['link'], title: textOf(href) } })
  }
  if (node.tagName === 'input') {
    const mark = node.properties['checked'] === true ? '\u2611 ' : '\u2610 '
    Object.assign(node, {
      tagName: 'span',
      properties: { className: ['task'] },
      children: [{ type: 'text', value: mark }],
    })
  }
}

function settleImage(node: Element, addresses: ReadonlyMap<string, string>): void {
  const { src, alt, title } = node.properties
  const source = textOf(src)
  const address = addresses.get(source) ?? (/^data:image\//i.test(source) ? source : undefined)
  if (address !== undefined) {
    node.properties = { src: address, alt: textOf(alt), ...(title === undefined ? {} : { title }) }
    return
  }
  const words: Content = { type: 'text', value: `Image: ${textOf(alt) || 'no description'} (${source})` }
  Object.assign(node, { tagName: 'span', properties: { className: ['missing'] }, children: [words] })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function visit(root: Root, each: (node: Element) => void): void {
  const open: (Root | Content)[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') each(node)
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
}
