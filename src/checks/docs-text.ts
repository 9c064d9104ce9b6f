// The headings, code blocks and stretches of text of a whole documentation, among which a lost one is looked for.

import { posix } from 'node:path'
import type { CheckResult } from './check-tree.ts'
import type { CodeBlock, PageFacts } from './facts/page-facts.ts'
import type { SiteIndex } from './rules/site-index.ts'
import type { SitePage } from './rules/site-page.ts'

/** A longer heading is hostile. */
const maxHeading = 500

export type DocsText = {
  /** `key`: of `headingKey`. */
  hasHeading(key: string): boolean
  hasCode(block: CodeBlock): boolean
  /** Hashes. */
  stretches(): ReadonlySet<number>
}

/** Returns the text of the documentation: of everything, or without translations and earlier versions. Made on demand. */
export function createDocsText({ index, parts }: Pick<CheckResult, 'index' | 'parts'>) {
  const known = new Map<boolean, DocsText>()
  return (withCopies: boolean): DocsText => {
    const found = known.get(withCopies)
    if (found) return found
    const pages = withCopies ? index.pages : index.pages.filter((page) => !isCopy(index, page))
    const text = createText(index, pages, [...parts.values()])
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

function createText({ unjudged }: SiteIndex, pages: readonly SitePage[], parts: readonly PageFacts[]): DocsText {
  const read = [...pages.filter((page) => unjudged?.has(page) !== true).map(({ facts }) => facts), ...parts]
  const headings = new Set(read.flatMap((facts) => facts.headings.map(({ text }) => headingKey(text))))
  const code = new Set(read.flatMap(({ text }) => text?.code.map(({ hash }) => hash) ?? []))
  let stretches: ReadonlySet<number> | undefined
  const note = (isFound: boolean, words: string) => {
    if (!isFound) unjudged?.noteMentions(words)
    return isFound
  }
  return {
    hasHeading: (key) => note(headings.has(key), key),
    hasCode: ({ hash, first }) => note(code.has(hash), first),
    stretches: () => (stretches ??= collectStretches([...pages.map(({ facts }) => facts), ...parts])),
  }
}

function collectStretches(pages: readonly PageFacts[]): ReadonlySet<number> {
  return new Set(pages.flatMap(({ text }) => text?.stretches.filter((_, at) => at % 2 === 0) ?? []))
}
