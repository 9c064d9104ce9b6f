// Leaves out the definitions of links that lead nowhere from a page: those that nothing refers to, and those of a name that an
// earlier one has.

import type { PageLink } from '../../docs-syntax/page.ts'

/** `[name]` and the name of `[text][name]`, but not the text of a link that has an address or a name of its own. */
const bracketed = /\[([^\][]{1,999})\](?!\(|\[[^\]])/g

/**
 * The text decides, and not only what a parser took for references: some generators read Markdown in blocks that others show
 * as code.
 */
export function withoutUnusedDefinitions(links: readonly PageLink[], source: string): readonly PageLink[] {
  const starts = new Set(links.flatMap(({ kind, whole }) => (kind === 'definition' ? [whole.start] : [])))
  if (starts.size === 0) return links
  const named = new Set(
    Array.from(source.matchAll(bracketed), ({ 1: name = '', index }) => (starts.has(index) ? '' : plain(name))),
  )
  const defined = new Set<string>()
  return links.filter(({ kind, identifier }) => {
    if (kind !== 'definition' || identifier === undefined) return true
    const name = plain(identifier)
    if (defined.has(name)) return false
    defined.add(name)
    return named.has(name) || /[\\[\]]/.test(name)
  })
}

function plain(name: string): string {
  return name.replace(/\s+/g, ' ').trim().toLowerCase()
}
