// Sites of all kinds, and the names that their generators give to pages.

import { javascriptSites } from './javascript.ts'
import type { NamedSite } from './named-site.ts'
import { otherSites } from './others.ts'

export const namedSites: readonly NamedSite[] = [...javascriptSites, ...otherSites]
