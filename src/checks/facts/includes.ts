// Finds the directives with which a page inserts another file. Each generator reads its own; a page may show those of
// others, so the rules of a site decide which of them count.

import { inRanges, type Range } from '../../docs-syntax/text.ts'
import type { PageInclude } from './page-facts.ts'

/** `part`: is in each of them, and is found faster. A backslash before a directive of mdBook shows it as text. The repetitions are bounded, so no text takes long. */
const forms = [
  {
    style: 'braces',
    part: '{{#',
    pattern: /(?<!\\)\{\{#(?:include|rustdoc_include|playground) +([^\s{}:]{1,500})[^{}\r\n]{0,500}\}\}/g,
  },
  { style: 'snippets', part: '8<-', pattern: /^[ \t]{0,40}-{1,10}8<-{1,10} +["']([^"'\r\n]{1,500})["'][ \t]*$/gm },
  { style: 'arrows', part: '<<<', pattern: /^<<<[ \t]+([^\s{[\r\n]{1,500})/gm },
  { style: 'arrows', part: '@include:', pattern: /^<!--[ \t]*@include:[ \t]*([^\s<>{]{1,500}?)(?=-->|[\s<>{])/gm },
  {
    style: 'elements',
    part: '<include',
    pattern: /<include(?: (?!cwd\b)[^<>\r\n]{1,300})?>([^<>\r\n]{1,500})<\/include>/g,
  },
] as const

/** `<<<` and elements in code are text; the others are read before the page is. */
export function readIncludes(
  { source, code }: { readonly source: string; readonly code: readonly Range[] },
  lineOf: (offset: number) => number,
): PageInclude[] {
  const isCode = inRanges(code)
  return forms.flatMap(({ style, part, pattern }) =>
    Array.from(source.includes(part) ? source.matchAll(pattern) : []).flatMap(({ 1: url = '', index: at }) => {
      const isText = style === 'elements' || source.startsWith('<<<', at)
      return isText && isCode(at) ? [] : [{ style, url, line: lineOf(at) }]
    }),
  )
}
