// Finds the links of a page to the old anchor of a reworded heading, on the same page or another one. Pure.

import { type DocsTree, resolveAddress } from '../../docs-syntax/links.ts'
import { parsePage } from '../../docs-syntax/markdown.ts'
import type { PageLink } from '../../docs-syntax/page.ts'
import type { Splice } from '../../docs-syntax/text.ts'

export type ChangedAnchor = { readonly path: string; readonly old: string; readonly fresh: string }
export type MovedLink = { readonly path: string; readonly text: string; readonly splice: Splice }

type Page = { readonly path: string; readonly text: string }

/** The links of a page that name an anchor. */
export function anchorLinks({ path, text }: Page): readonly PageLink[] {
  return parsePage(path, text).links.filter(({ url }) => url.includes('#'))
}

/** `links`: those of `anchorLinks`. */
export function moveLinks(
  page: Page,
  links: readonly PageLink[],
  anchors: readonly ChangedAnchor[],
  tree: DocsTree,
): MovedLink[] {
  return links.flatMap(({ url, start, end }) => {
    const target = resolveAddress(tree, page.path, url)
    const name = url.slice(url.indexOf('#') + 1)
    const anchor = anchors.find((one) => one.old === name && one.path === target?.path)
    const at = anchor ? page.text.slice(start, end).lastIndexOf(`#${name}`) : -1
    if (!anchor || at === -1) return []
    const splice = { start: start + at + 1, end: start + at + 1 + name.length, text: anchor.fresh }
    return [{ ...page, splice }]
  })
}
