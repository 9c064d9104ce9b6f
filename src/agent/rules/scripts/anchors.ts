// Finds the links to the old anchor of a reworded heading, on the same page and on other pages.

import { type DocsTree, createDocsTree, resolveAddress } from '../../../docs-syntax/links.ts'
import type { Splice } from '../../../docs-syntax/text.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { pathOfLine } from '../../tools/result.ts'
import { type Memo, type ReadPage, type Script, callAll, listFiles, readPages } from '../script.ts'

export type ChangedAnchor = { readonly path: string; readonly old: string; readonly fresh: string }
export type MovedLink = { readonly path: string; readonly text: string; readonly splice: Splice }

type Sources = { readonly pages: ReadonlyMap<string, ReadPage>; readonly memo: Memo }

/** `pages` have been read already. Other pages are read if a search finds an old anchor in them. */
export function* findAnchorSplices(anchors: readonly ChangedAnchor[], { pages, memo }: Sources): Script<MovedLink[]> {
  const names = [...new Set(anchors.map(({ old }) => old))].filter((name) => name !== '')
  const calls = names.map((name) => ({ tool: 'search', input: { pattern: `#${name}`, filesOnly: true, limit: 2000 } }))
  const results = yield* callAll('Looking for links to the headings that change.', calls)
  const named = results.flatMap(({ text, isError }) => (isError ? [] : text.split('\n').slice(1)))
  const paths = [...new Set(named.map(pathOfLine))].filter((path) => isPagePath(path)).toSorted()
  if (paths.length === 0) return []
  const tree = createDocsTree(yield* listFiles('Looking at the layout of the site.'))
  const unread = paths.filter((path) => !pages.has(path))
  const more = yield* readPages('Reading pages that link to the headings.', unread)
  return paths.flatMap((path) => {
    const page = pages.get(path) ?? more.get(path)
    return page && 'text' in page ? moveLinks({ path, text: page.text }, anchors, { tree, memo }) : []
  })
}

type Page = { readonly path: string; readonly text: string }

function moveLinks(
  page: Page,
  anchors: readonly ChangedAnchor[],
  { tree, memo }: { tree: DocsTree; memo: Memo },
): MovedLink[] {
  const links = memo(['links', page.path, page.text], () =>
    parsePage(page.path, page.text).links.filter(({ url }) => url.includes('#')),
  )
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
