// Finds links whose address is written with Liquid and has spaces in it: Markdown does not read them as links, but the
// template is filled in before Markdown is read.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import type { PageLink } from '../page-facts.ts'
import type { LineOf } from './source.ts'

/** `[a]({% link _docs/a.md %}#b)`, `[a]({{ '/a/' | relative_url }})`, `[a]: {% link _docs/a.md %}`. The repetitions are bounded. */
const written = /(!?)\[[^\][\r\n]{0,300}\]\(((?:\{\{|\{%)[^{}\r\n]{1,300}(?:\}\}|%\})[^()\r\n]{0,300})\)/g
const definition = /^ {0,3}()\[[^\][\r\n]{1,300}\]:[ \t]{1,9}((?:\{\{|\{%)[^{}\r\n]{1,300}(?:\}\}|%\})[^\s]{0,300})/gm

export function readLiquidLinks(page: MarkdownPage, source: string, lineOf: LineOf): PageLink[] {
  if (!/\{[{%]/.test(source)) return []
  return [written, definition]
    .flatMap((one) => Array.from(source.matchAll(one)))
    .flatMap((found): PageLink[] => {
      const url = found[2]?.trim() ?? ''
      const { index } = found
      const isKnown =
        page.code.some(({ start, end }) => start <= index && index < end) ||
        page.links.some(({ whole }) => whole.start === index)
      if (isKnown) return []
      return [{ kind: found[1] === '!' ? 'image' : 'link', url, line: lineOf(index) }]
    })
}
