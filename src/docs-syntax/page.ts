// Describes a page of Markdown or MDX as ranges: prose, code, links, headings and frontmatter; and what a change lost of
// it. Holds the types and the rules that all parsers of a page share. Every offset refers to the source text.

import type { Range } from './text.ts'
import type { YamlString } from './yaml.ts'

/**
 * A range of text that readers see. `cell`: in a table, where a pipe ends it. `attribute`: between the quotes of a JSX or
 * HTML attribute. `label`: the name of a link reference that is also its visible text, so all its uses must change together.
 */
export type Prose = Range & { readonly kind: 'text' | 'cell' | 'attribute' | 'label' }

/**
 * `doc`: names a page by the rule of its generator, mostly without an extension. `ref`: names a label. `any`: one of both.
 * `file`: names a file to download. `include`: inserts a file. All others are addresses.
 */
export type LinkKind =
  | 'link'
  | 'image'
  | 'definition'
  | 'autolink'
  | 'attribute'
  | 'import'
  | 'expression'
  | 'doc'
  | 'ref'
  | 'any'
  | 'file'
  | 'include'

export type PageLink = Range & {
  /** The range covers the destination only, without quotes and angle brackets. */
  readonly kind: LinkKind
  /** The destination with escapes and character references resolved. */
  readonly url: string
  /** The whole construct: `[text](url)`, a definition, an attribute with its name, a statement. */
  readonly whole: Range
  /** The visible text: the text of a link, the alternative text of an image. */
  readonly label: Range | undefined
  /** For an attribute: its element. The range is the opening tag or, in MDX, the whole element. */
  readonly element: (Range & { readonly name: string }) | undefined
  /** For a definition: its name, which equals the `identifier` of the references to it. For `ref`: the label. */
  readonly identifier: string | undefined
}

/** A reference to a link definition: `[text][name]`, `[name][]` or `[name]`, of a link or an image. */
export type PageReference = Range & { readonly identifier: string; readonly label: Range }
export type Heading = Range & {
  readonly depth: number
  readonly text: string
  readonly slug: string
  /** The anchor that the page itself sets instead of one from the text; empty: there is no anchor. */
  readonly id?: string
}

export type Frontmatter = Range & {
  /** Between the two fences. */
  readonly body: Range
  readonly kind: 'yaml' | 'toml'
  readonly strings: readonly YamlString[]
  readonly problem: string | undefined
}

/**
 * `mdx`: also parsed as MDX, and it must compile. `mdx-comments`: MDX with comments and heading ids that MDX has not.
 * `asciidoc-site`: AsciiDoc whose site makes the ids of headings. `kramdown`: Markdown that Jekyll reads. `shortcodes`:
 * Markdown with shortcodes, which Hugo reads. `rst`, `myst`: pages of Sphinx.
 */
export type PageSyntax =
  | 'markdown'
  | 'mdx'
  | 'mdx-comments'
  | 'kramdown'
  | 'shortcodes'
  | 'asciidoc'
  | 'asciidoc-site'
  | 'rst'
  | 'myst'

/** A directive that inserts another file: `{{#include x}}` of mdBook, `--8<--` of MkDocs, `<<<` of VitePress, `include` of Sphinx, `<include>` of Fumadocs. */
export type IncludeStyle = 'braces' | 'snippets' | 'arrows' | 'directive' | 'elements'

/** Why a page or file does not parse. `line`: counted from 1. */
export type Problem = { readonly line: number; readonly message: string }

export type PageProblem = { readonly message: string; readonly line: number; readonly column: number }

export type MarkdownPage = {
  /** The syntax as which the page was read. If it differs from what the file name implies, `problem` has the reason. */
  readonly syntax: 'mdx' | 'markdown' | 'rst' | 'asciidoc' | 'lines'
  readonly problem: PageProblem | undefined
  readonly frontmatter: Frontmatter | undefined
  readonly prose: readonly Prose[]
  readonly code: readonly Range[]
  readonly links: readonly PageLink[]
  readonly references: readonly PageReference[]
  readonly headings: readonly Heading[]
  /** The values of `id` and `name` attributes, which are anchors like the slugs of headings. */
  readonly ids: readonly string[]
}

/** Content of one page that a change lost: no page has it any more. */
export type PageLoss = {
  /** The path after the change. */
  readonly path: string
  readonly headings: readonly string[]
  /** The first line of each. */
  readonly codeBlocks: readonly string[]
  /** Names of frontmatter fields that the page itself has no more. */
  readonly fields: readonly string[]
  /** null if the page did not become much shorter. */
  readonly words: { readonly before: number; readonly after: number } | null
}

/** A page while it is being parsed. */
export type PageDraft = {
  readonly source: string
  readonly prose: Prose[]
  readonly code: Range[]
  readonly links: PageLink[]
  readonly references: PageReference[]
  readonly headings: Omit<Heading, 'slug'>[]
  readonly ids: string[]
  /** The names of link references as written, with their ranges; see `labelProse`. */
  readonly labels: (Range & { readonly identifier: string; readonly isShown: boolean })[]
  /** True if the page is parsed as plain Markdown, where JSX tags and imports are part of the text. */
  readonly isLoose: boolean
  frontmatter: Frontmatter | undefined
}

export function createDraft(source: string): PageDraft {
  const lists = { prose: [], code: [], links: [], references: [], headings: [], ids: [], labels: [] }
  return { source, ...lists, isLoose: false, frontmatter: undefined }
}

export function finishDraft(draft: PageDraft, syntax: MarkdownPage['syntax'], problem?: PageProblem): MarkdownPage {
  const { frontmatter, code, references, ids } = draft
  const prose = [...draft.prose, ...labelProse(draft)].toSorted((a, b) => a.start - b.start)
  const links = draft.links.toSorted((a, b) => a.start - b.start)
  return { syntax, problem, frontmatter, prose, code, links, references, ids, headings: withSlugs(draft.headings) }
}

/** Returns the anchor that sites generate for a heading. A trailing `{#own-id}` takes precedence. */
export function toSlug(text: string): string {
  const own = /\{#([\w.:-]+)\}\s*$/.exec(text)?.[1]
  if (own !== undefined) return own
  const kept = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
  return kept.replace(/ /g, '-')
}

/** Made when they are needed: checks make those of the site's own rule. */
function withSlugs(headings: readonly Omit<Heading, 'slug'>[]): Heading[] {
  let slugs: readonly string[] | undefined
  return headings.map((heading, at) => ({
    ...heading,
    get slug() {
      return (slugs ??= toSlugs(headings))[at] ?? ''
    },
  }))
}

function toSlugs(headings: readonly Omit<Heading, 'slug'>[]): string[] {
  const seen = new Map<string, number>()
  return headings.map(({ text }) => {
    const plain = toSlug(text)
    let slug = plain
    for (let count = seen.get(plain) ?? 0; seen.has(slug); slug = `${plain}-${count}`) seen.set(plain, ++count)
    seen.set(slug, seen.get(slug) ?? 0)
    return slug
  })
}

/**
 * The name of a reference is prose if it is also the visible text (`[name]`), and only if every use on the page is spelled
 * the same and contains no code. Otherwise, changing the words would separate a reference from its definition.
 */
function labelProse(draft: PageDraft): Prose[] {
  const groups = Map.groupBy(draft.labels, (label) => label.identifier)
  return [...groups.values()].flatMap((group) => {
    const written = new Set(group.map(({ start, end }) => draft.source.slice(start, end)))
    const [only = ''] = written
    if (written.size !== 1 || /[`\\]/.test(only) || !group.some((label) => label.isShown)) return []
    return group.map(({ start, end }) => ({ start, end, kind: 'label' as const }))
  })
}
