// Moves and joins pages that are parts of another page, and takes ranges out of prose.

import type { MarkdownPage, PageLink, Prose } from '../page.ts'
import type { Range } from '../text.ts'

/** The page as part of another one, in which it begins at `by`. Headings and frontmatter are not kept. */
export function movePage(page: MarkdownPage, by: number): MarkdownPage {
  const move = <T extends Range>(range: T): T => ({ ...range, start: range.start + by, end: range.end + by })
  const moveLink = (link: PageLink): PageLink => ({
    ...move(link),
    whole: move(link.whole),
    label: link.label && move(link.label),
    element: link.element && move(link.element),
  })
  return {
    ...page,
    frontmatter: undefined,
    headings: [],
    prose: page.prose.map(move),
    code: page.code.map(move),
    links: page.links.map(moveLink),
    references: page.references.map((one) => ({ ...move(one), label: move(one.label) })),
  }
}

/** The page with the lists of its parts. */
export function joinPages(page: MarkdownPage, parts: readonly MarkdownPage[]): MarkdownPage {
  const all = [page, ...parts]
  const inOrder = <T extends Range>(lists: readonly (readonly T[])[]): T[] =>
    lists.flat().toSorted((a, b) => a.start - b.start)
  return {
    ...page,
    prose: inOrder(all.map(({ prose }) => prose)),
    code: inOrder(all.map(({ code }) => code)),
    links: inOrder(all.map(({ links }) => links)),
    references: inOrder(all.map(({ references }) => references)),
    ids: all.flatMap(({ ids }) => ids),
  }
}

/** The prose outside `ranges`; a range in the middle of prose leaves two parts. `prose` is in order. */
export function withoutRanges(prose: readonly Prose[], ranges: readonly Range[]): Prose[] {
  const cuts = ranges.toSorted((a, b) => a.start - b.start)
  const kept: Prose[] = []
  let next = 0
  for (const one of prose) {
    let { start } = one
    while (next > 0 && (cuts[next - 1]?.end ?? 0) > start) next -= 1
    for (; next < cuts.length && (cuts[next]?.start ?? 0) < one.end; next += 1) {
      const cut = cuts[next] as Range
      if (cut.end <= start) continue
      if (cut.start > start) kept.push({ ...one, start, end: cut.start })
      start = cut.end
    }
    if (start < one.end) kept.push({ ...one, start })
  }
  return kept
}
