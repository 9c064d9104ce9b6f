// Finds the links of a page to the old anchor of a reworded heading, on the same page or another one. Pure.

import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { type DocsTree, resolveAddress } from '../../docs-syntax/links.ts'
import { parsePage } from '../../docs-syntax/markdown.ts'
import type { PageLink } from '../../docs-syntax/page.ts'
import type { Splice } from '../../docs-syntax/text.ts'

/** `texts`: those of the heading, for sites whose anchors are not those of the page alone. */
export type ChangedAnchor = {
  readonly path: string
  readonly old: string
  readonly fresh: string
  readonly texts: { readonly old: string; readonly fresh: string }
}
export type MovedLink = { readonly path: string; readonly text: string; readonly splice: Splice }

type Page = { readonly path: string; readonly text: string }
/** The page that a link leads to, and the fragment as it is written. */
export type ReadLink = (path: string, link: PageLink) => { readonly path: string; readonly name: string } | undefined

/** The links of a page that name an anchor. */
export function anchorLinks({ path, text }: Page): readonly PageLink[] {
  return parsePage(path, text).links.filter(({ kind, url }) => url.includes('#') || kind === 'ref')
}

/** Reads links as addresses; in AsciiDoc, `<<name>>` is an anchor of the page itself. */
export function readAddresses(tree: DocsTree): ReadLink {
  return (from, { kind, url }) => {
    if (kind === 'ref') return isAsciidocPath(from) ? { path: from, name: url } : undefined
    const path = resolveAddress(tree, from, url)?.path
    return path === undefined ? undefined : { path, name: url.slice(url.indexOf('#') + 1) }
  }
}

/** `links`: those of `anchorLinks`. */
export function moveLinks(
  page: Page,
  links: readonly PageLink[],
  anchors: readonly ChangedAnchor[],
  read: ReadLink,
): MovedLink[] {
  return links.flatMap((link) => {
    const target = read(page.path, link)
    const anchor = anchors.find((one) => one.old === target?.name && one.path === target.path)
    const at = anchor ? page.text.slice(link.start, link.end).lastIndexOf(anchor.old) : -1
    if (!anchor || at === -1) return []
    const start = link.start + at
    return [{ ...page, splice: { start, end: start + anchor.old.length, text: anchor.fresh } }]
  })
}
