// Reads of a page only what every check of its site needs: the frontmatter, from which its address follows. That takes a tenth
// of the time of all facts. A page that may insert another one has no outline: it is read as a whole.

import { readPage } from '../facts/read-page.ts'
import { noTerms } from '../facts/terms/read-terms.ts'
import type { Frontmatter, PageFacts } from '../facts/page-facts.ts'
import type { PageSyntax } from '../../docs-syntax/page.ts'
import type { Site } from '../../sites/site.ts'

/** `facts`: says nothing more than the outline knows. */
export type Outline = { readonly text: string; readonly facts: PageFacts }

const outlined: readonly PageSyntax[] = ['markdown', 'mdx', 'mdx-comments', 'kramdown']
/** The parser reads larger pages in another way. */
const maxText = 50_000
const maxHead = 5_000
const opening = /^---[ \t]*\r?\n/
const closing = /\n---[ \t]*(?=\r?\n|$)/
/** The directives of `includes.ts`, whatever follows them. */
const inserting = /\{\{#|8<-|<<<|@include|<include/
const imports = /\b(?:from|import)\s*\(?\s*["']([^"'\n]*)["']/g
const noPage = /\.(?:[cm]?[jt]sx?|json|css|s[ac]ss|svg|png|jpe?g|gif|webp|vue|ya?ml|txt|html?)$/i

type Reading = {
  readonly site: Site
  readonly syntax: PageSyntax
  /** Called when anything is asked that the outline does not know. */
  readonly note: () => void
}

/** Undefined: the page must be read. */
export function readOutline(text: string, { site, syntax, note }: Reading): Outline | undefined {
  if (!outlined.includes(syntax) || text.length > maxText || text.startsWith('+++')) return undefined
  if (inserting.test(text) || mayImportPage(text, site)) return undefined
  if (!text.startsWith('---')) return { text, facts: toFacts(null, note) }
  const end = opening.test(text) ? closing.exec(text.slice(0, maxHead)) : null
  if (!end) return undefined
  const head = text.slice(0, end.index + end[0].length)
  return { text, facts: toFacts(readPage(syntax, `${head}\n`).frontmatter, note) }
}

function mayImportPage(text: string, site: Site): boolean {
  if (!text.includes('import')) return false
  const isFile = (url: string) => /^\.\.?\//.test(url) || site.importOf(url) !== undefined
  return Array.from(text.matchAll(imports)).some(([, url = '']) => !noPage.test(url) && isFile(url))
}

function toFacts(frontmatter: Frontmatter | null, note: () => void): PageFacts {
  const unknown = <Value>(value: Value): Value => {
    note()
    return value
  }
  return {
    frontmatter,
    includes: [],
    rst: null,
    get problem() {
      return unknown(null)
    },
    get openFence() {
      return unknown(null)
    },
    get links() {
      return unknown([])
    },
    get headings() {
      return unknown([])
    },
    get ids() {
      return unknown([])
    },
    get titles() {
      return unknown([])
    },
    get isOpen() {
      return unknown(false)
    },
    get text() {
      return unknown(null)
    },
    get terms() {
      return unknown(noTerms)
    },
  }
}
