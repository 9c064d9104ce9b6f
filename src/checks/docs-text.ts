// The headings, code blocks and stretches of text of a whole documentation, among which a lost one is looked for.

import { posix } from 'node:path'
import type { CheckResult } from './check-tree.ts'
import type { PageFacts } from './facts/page-facts.ts'
import type { SiteIndex } from './rules/site-index.ts'
import type { SitePage } from './rules/site-page.ts'

/** A longer heading is hostile. */
const maxHeading = 500

export type DocsText = {
  readonly headings: ReadonlySet<string>
  /** Hashes. */
  readonly code: ReadonlySet<number>
  /** Hashes. */
  readonly stretches: ReadonlySet<number>
}

/** Returns the text of the documentation: of everything, or without translations and earlier versions. Made on demand. */
export function createDocsText({ index, parts }: Pick<CheckResult, 'index' | 'parts'>) {
  const known = new Map<boolean, DocsText>()
  return (withCopies: boolean): DocsText => {
    const found = known.get(withCopies)
    if (found) return found
    const pages = withCopies ? index.pages : index.pages.filter((page) => !isCopy(index, page))
    const text = collect([...pages.map(({ facts }) => facts), ...parts.values()])
    known.set(withCopies, text)
    return text
  }
}

/** Whether the page is a translation or an earlier version, so that its code and headings say nothing about other pages. */
export function isCopy(index: SiteIndex, { mount, site, name }: SitePage): boolean {
  if (mount.isCopy === true || site.isTranslation(name)) return true
  const rest = /^[a-z]{2}(?:-[a-z]{2,4})?\/(.+)$/i.exec(name)?.[1]
  return rest !== undefined && index.page(posix.join(mount.folder, rest)) !== undefined
}

/** Without number signs, an id of its own, case and repeated spaces. */
export function headingKey(text: string): string {
  return headingWords(text).toLowerCase()
}

export function headingWords(text: string): string {
  const plain = text
    .slice(0, maxHeading)
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s*\{[^{}]*\}\s*$/, '')
  return plain.trim().replace(/\s+/g, ' ')
}

function collect(pages: readonly PageFacts[]): DocsText {
  const headings = new Set<string>()
  const code = new Set<number>()
  const stretches = new Set<number>()
  for (const { headings: found, text } of pages) {
    for (const heading of found) headings.add(headingKey(heading.text))
    for (const { hash } of text?.code ?? []) code.add(hash)
    for (const [at, hash] of text?.stretches.entries() ?? []) if (at % 2 === 0) stretches.add(hash)
  }
  return { headings, code, stretches }
}
