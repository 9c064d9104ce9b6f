// Reads a navigation that is a list of links in Markdown: `SUMMARY.md`, `_sidebar.md`.

import { parsePage } from '../../../docs-syntax/markdown.ts'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import type { NavigationEntry } from '../../site.ts'

/** `target`: what an address names, if it names something. */
export function readList(
  file: string,
  text: string,
  target: (url: string) => NavigationEntry['target'] | undefined,
): NavigationEntry[] {
  const starts = lineStarts(text)
  return parsePage('page.md', text).links.flatMap(({ kind, url, start, end }) => {
    const found = kind === 'image' || /^(?:[a-z][\w+.-]*:|\/\/)/i.test(url) ? undefined : target(url)
    return found ? [{ file, line: lineAt(starts, start), start, end, name: url, target: found }] : []
  })
}
