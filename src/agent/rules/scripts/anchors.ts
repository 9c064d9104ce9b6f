// Finds the links to the old anchor of a reworded heading, on the same page and on other pages.

import { createDocsTree } from '../../../docs-syntax/links.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { anchorLinks, type ChangedAnchor, type MovedLink, moveLinks, readAddresses } from '../../terms/anchor-links.ts'
import { pathOfLine } from '../../tools/result.ts'
import { type Memo, type ReadPage, type Script, callAll, readLayout, readPages } from '../script.ts'

type Sources = { readonly pages: ReadonlyMap<string, ReadPage>; readonly memo: Memo }

/** `pages` have been read already. Other pages are read if a search finds an old anchor in them. */
export function* findAnchorSplices(anchors: readonly ChangedAnchor[], { pages, memo }: Sources): Script<MovedLink[]> {
  const names = [...new Set(anchors.map(({ old }) => old))].filter((name) => name !== '')
  const calls = names.map((name) => ({ tool: 'search', input: { pattern: `#${name}`, filesOnly: true, limit: 2000 } }))
  const results = yield* callAll('Looking for links to the headings that change.', calls)
  const named = results.flatMap(({ text, isError }) => (isError ? [] : text.split('\n').slice(1)))
  const paths = [...new Set(named.map(pathOfLine))].filter((path) => isPagePath(path)).toSorted()
  if (paths.length === 0) return []
  const layout = yield* readLayout()
  const tree = createDocsTree(
    layout.paths,
    layout.sites.flatMap(({ roots }) => roots),
  )
  const unread = paths.filter((path) => !pages.has(path))
  const more = yield* readPages('Reading pages that link to the headings.', unread)
  return paths.flatMap((path) => {
    const page = pages.get(path) ?? more.get(path)
    if (!page || !('text' in page)) return []
    const links = memo(['links', path, page.text], () => anchorLinks({ path, text: page.text }))
    return moveLinks({ path, text: page.text }, links, anchors, readAddresses(tree))
  })
}
