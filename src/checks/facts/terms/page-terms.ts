// The terms of a page as a list, from its facts: those that are kept, and those of its headings, links and described objects.

import { readTerms } from '../../../docs-syntax/terms/code-terms.ts'
import type { PageFacts } from '../page-facts.ts'

/**
 * `inline`: in code within a line. `block`: in a code block only. `prose`: a name that only its form marks. `operation`:
 * `GET /v1/x`. `heading`: any word of a heading or of the title. `link`: the address of a link within the site. `object`: a name
 * that a directive describes, or to which a role refers.
 */
export type PageTermKind = 'inline' | 'block' | 'prose' | 'operation' | 'heading' | 'link' | 'object'

/** `line`: where it is first, counted from 1; 0: not known. `count`: how often the page has it. */
export type PageTerm = {
  readonly text: string
  readonly kind: PageTermKind
  readonly line: number
  readonly count: number
}

export function termsOf(facts: PageFacts): PageTerm[] {
  const { terms, headings, links, frontmatter, rst } = facts
  const title = frontmatter?.strings['title'] ?? ''
  const found: PageTerm[] = []
  addPacked(terms.inline, 'inline', found)
  addPacked(terms.prose, 'prose', found)
  addPacked(terms.blocks, 'block', found)
  for (const written of terms.operations) {
    const space = written.indexOf(' ')
    found.push(one(written.slice(space + 1), 'operation', Number(written.slice(0, space))))
  }
  for (const heading of [{ text: title, line: frontmatter?.line ?? 0 }, ...headings]) {
    for (const { text } of readTerms(heading.text)) found.push(one(text, 'heading', heading.line))
  }
  for (const { url, line } of links) found.push(one(url, 'link', line))
  for (const name of [...(rst?.objects ?? []), ...(rst?.described ?? [])]) {
    for (const { text } of readTerms(name.slice(name.indexOf(' ') + 1))) found.push(one(text, 'object', 0))
  }
  return found
}

/** In one pass: a site has hundreds of thousands of terms. */
function addPacked(packed: string, kind: PageTermKind, found: PageTerm[]): void {
  let line = 0
  let isLine = true
  for (let start = 0; start < packed.length;) {
    let end = start
    let star = -1
    for (; end < packed.length; end += 1) {
      const code = packed.charCodeAt(end)
      if (code === space || code === semicolon) break
      if (code === asterisk) star = end
    }
    const text = packed.slice(start, star === -1 ? end : star)
    if (isLine) line += Number(text)
    else found.push({ text, kind, line, count: star === -1 ? 1 : Number(packed.slice(star + 1, end)) })
    isLine = packed.charCodeAt(end) === semicolon
    start = end + 1
  }
}

const [space, semicolon, asterisk] = [32, 59, 42]

function one(text: string, kind: PageTermKind, line: number): PageTerm {
  return { text, kind, line, count: 1 }
}
