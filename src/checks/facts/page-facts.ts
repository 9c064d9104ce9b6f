// The facts of a page: its links, headings, anchors and frontmatter. A function of its bytes and its syntax, so it
// is kept by the id of its content; which files exist, and how the site names them, is not part of it.

import type { IncludeStyle, Problem } from '../../docs-syntax/page.ts'
import type { Range } from '../../docs-syntax/text.ts'

/** A link within the site: addresses of other sites are left out. */
export type PageLink = {
  /**
   * In the syntax of a generator: `doc` names a document, `ref` a label, an id or a title, `any` one of these, `file` a file to
   * download, and `include` one whose text is inserted.
   */
  readonly kind: 'link' | 'image' | 'import' | 'doc' | 'ref' | 'any' | 'file' | 'include'
  readonly url: string
  readonly line: number
}

/** A directive that inserts another file. */
export type PageInclude = {
  readonly style: IncludeStyle
  readonly url: string
  readonly line: number
}

export type PageHeading = { readonly text: string; readonly line: number }

export type Frontmatter = {
  readonly line: number
  readonly problem: Problem | null
  /** The names of the outermost fields. */
  readonly names: readonly string[]
  /** The fields whose value is a string. */
  readonly strings: Readonly<Record<string, string>>
  /** The fields whose value is a list of strings. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** `hash`: of its lines without their indentation. */
export type CodeBlock = { readonly first: string; readonly hash: number; readonly lines: number }

export type PageText = {
  /** The words that readers see, without code. */
  readonly words: number
  /** A hash of everything that readers see, code included, without markup and spaces. */
  readonly whole: number
  /** A hash and the number of words of each stretch of text without markup, one after the other. */
  readonly stretches: readonly number[]
  readonly code: readonly CodeBlock[]
}

/**
 * The terms of a page, each text once. `terms/page-terms.ts` reads them. All but the operations are lists of lines in the form
 * `3 term term*2;5 term`: two terms in line 3, where they are first, one of them twice on the page, and one term five lines below.
 */
export type PageTerms = {
  /** In code within a line. */
  readonly inline: string
  /** In code blocks, and not within a line anywhere. */
  readonly blocks: string
  /** Names that only their form marks. */
  readonly prose: string
  /** One each, with its line: `12 GET /v1/x`. */
  readonly operations: readonly string[]
}

/** An entry of a toctree. */
export type PageEntry = Range & { readonly name: string; readonly isGlob: boolean; readonly line: number }

export type RstFacts = {
  /** Names of places, which are known in the whole site. */
  readonly labels: readonly string[]
  /** The pages that the page lists in the navigation. */
  readonly entries: readonly PageEntry[]
  /** Each role that names an object, such as `confval html_theme`. An extension may describe it. */
  readonly objects: readonly string[]
  /** Objects that the page describes, and the terms of its glossaries, as `term page`. */
  readonly described: readonly string[]
}

export type PageFacts = {
  /** Why the page does not parse. Links and headings were then read line by line. */
  readonly problem: Problem | null
  /** The line of a code fence that is not closed. */
  readonly openFence: number | null
  readonly frontmatter: Frontmatter | null
  readonly links: readonly PageLink[]
  readonly includes: readonly PageInclude[]
  readonly headings: readonly PageHeading[]
  /** Values of `id` and `name` attributes. */
  readonly ids: readonly string[]
  /** Titles of components, from which some sites make anchors. That of a tab is in a line below the heading above it. */
  readonly titles: readonly string[]
  /** Null for a page in another syntax. */
  readonly rst: RstFacts | null
  /** Whether a program adds to the page: macros, generated references, components. Its headings are then not all known. */
  readonly isOpen: boolean
  /** Null: the page could not be read. */
  readonly text: PageText | null
  readonly terms: PageTerms
}
