// The problems that a check can find in a documentation site: their kinds, their severity, and what makes two of them
// the same. A finding has no identity by line, so an edit above an old problem does not make the problem new.

export type Severity = 'breaking' | 'wrong'

/** `breaking`: the site does not build, or a page that readers are led to is missing. */
export const findingKinds = {
  config: { severity: 'breaking', about: 'a configuration or data file does not parse' },
  frontmatter: { severity: 'breaking', about: 'the frontmatter of a page does not parse' },
  mdx: { severity: 'breaking', about: 'an MDX page does not compile' },
  import: { severity: 'breaking', about: 'a page imports a file that does not exist' },
  navigation: { severity: 'breaking', about: 'the navigation names a page that does not exist' },
  anchor: { severity: 'wrong', about: 'a link leads to a heading that does not exist' },
  'duplicate-route': { severity: 'wrong', about: 'two pages have the same address' },
  field: { severity: 'wrong', about: 'the frontmatter of a page lacks a field' },
  image: { severity: 'wrong', about: 'an image does not exist' },
  include: { severity: 'wrong', about: 'a page includes a file that does not exist' },
  link: { severity: 'wrong', about: 'a link leads to a page or file that does not exist' },
  markdown: { severity: 'wrong', about: 'a code fence is not closed' },
  redirect: { severity: 'wrong', about: 'a redirect has the address of a page, or leads nowhere' },
  reference: { severity: 'wrong', about: 'a `$ref` of an OpenAPI file leads nowhere' },
  'stale-term': { severity: 'wrong', about: 'a name that a source of the product had and no longer has' },
  'stale-value': { severity: 'wrong', about: 'a default or limit that a source of the product changed' },
  'unknown-term': { severity: 'wrong', about: 'a name in the form of the product’s own that its sources never had' },
  unlisted: { severity: 'wrong', about: 'a page is missing from a navigation that lists all others' },
} as const satisfies Readonly<Record<string, { readonly severity: Severity; readonly about: string }>>

export type FindingKind = keyof typeof findingKinds

export const findingKindNames = Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]

/** No problem of a page, and no finding: a change adds a name or value that is found nowhere. It may still be right. */
export const ungroundedKind = 'ungrounded'
export const ungroundedAbout = 'a change adds a name or value that is not found in the sources'

/** No problem of a page, and no finding: the site works, and readers of the other language miss something. */
export const outdatedKind = 'outdated-translation'
export const outdatedAbout = 'a translation is behind its source page'

export type Finding = {
  readonly kind: FindingKind
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** The address, the field, or the words of the parser. Part of the identity. */
  readonly target: string
  /** A sentence without a full stop. */
  readonly message: string
  /** Most likely the right address, in the form that the page uses. Not part of the identity. */
  readonly suggestion?: string
}

/** Whether it is about the product, and not about the documentation alone. */
export function isDrift({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'stale-term' || kind === 'stale-value' || kind === 'unknown-term'
}

export function severityOf({ kind }: Pick<Finding, 'kind'>): Severity {
  return findingKinds[kind].severity
}

export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareText(a.path, b.path) || a.line - b.line || compareText(a.kind, b.kind) || compareText(a.target, b.target)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
