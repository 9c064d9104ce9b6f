// A site that a real generator builds, to compare the addresses of its pages and the ids of its headings with those that
// `src/sites` gives them. A site is one entry of `sites.ts`.

import type { SiteKind } from '../../../src/sites/site.ts'
import type { Generator } from '../generator.ts'

export type BuiltSite = {
  readonly kind: SiteKind
  /** The package of npm, or the command of Debian, whose version is noted. */
  readonly package: string
  /** The folder of its packages below `test/generators`, where it is built. */
  readonly folder?: string
  readonly build: Generator['build']
  readonly files: Readonly<Record<string, string>>
}

/** `address`: undefined for a page that the generator does not build. */
export type BuiltPage = { readonly address: string | null; readonly ids: readonly string[] }

export type Kept = {
  readonly generator: string
  readonly pages: Readonly<Record<string, BuiltPage>>
  /** The addresses that lead to another one. */
  readonly redirects: readonly string[]
}

const rest = `
## Install it

### Install it

## \`acme start\` & *stop*

## 1. What's new?

## Über uns -- v2.0

## A_b <em>c</em>

Text.
`

export const headings = `# Title
${rest}`

/** A page with the frontmatter. */
export function fields(yaml: string): string {
  return `---\n${yaml}\n---\n\n${headings}`
}
