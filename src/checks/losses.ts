// Finds what a change lost: headings and code blocks of surviving pages that are nowhere in the documentation any more,
// and pages that became much shorter.

/** The losses of one page. `words`: null if the page did not become much shorter. */
export type PageLoss = {
  /** The path after the change. */
  readonly path: string
  /** The headings that no page has any more. */
  readonly headings: readonly string[]
  /** The first lines of the code blocks that no page has any more. */
  readonly codeBlocks: readonly string[]
  readonly words: { readonly before: number; readonly after: number } | null
}
