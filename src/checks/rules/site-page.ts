// A page of a site, as the rules see it.

import type { PageFacts } from '../facts/page-facts.ts'
import type { Mount, Site } from '../../sites/site.ts'

export type SitePage = {
  readonly path: string
  readonly site: Site
  readonly mount: Mount
  /** Relative to the mount. */
  readonly name: string
  readonly facts: PageFacts
  /** Its addresses, without a slash at the end; '' for the first page of the site. The first one is the usual one. */
  readonly routes: readonly string[]
  readonly ids: readonly string[]
}
