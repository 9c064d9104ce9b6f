// Checks all pages, and keeps what it found on each. A later check on the same ground takes over what it found on a page
// that has not changed, unless the anchors of a page that it leads to have: after a small edit, few pages are left.

import type { Finding } from '../finding.ts'
import { checkPage, type PageOutcome } from './page-rules.ts'
import type { Anchors, SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** `asked`: the paths of the pages whose anchors the findings depend on. */
type Outcome = PageOutcome & { readonly asked: readonly string[] }

export type CheckedPages = {
  readonly index: SiteIndex
  readonly findings: readonly Finding[]
  /** The outcome of each page that was judged. */
  readonly pages: ReadonlyMap<SitePage, PageOutcome>
  /**
   * Without pages that lead to one with parts, whose anchors are found in an order that all of these have a part in, and
   * without those whose links may lead to any page.
   */
  readonly outcomes: ReadonlyMap<SitePage, Outcome>
}

/** `previous`: an earlier check on the same ground. Any page may have another content since. */
export function checkPages(index: SiteIndex, previous: CheckedPages | undefined): CheckedPages {
  const changed = previous && findChanged(index, previous.index)
  const outcomes = new Map<SitePage, Outcome>()
  const findings: Finding[] = []
  const pages = new Map<SitePage, PageOutcome>()
  const state = { asked: new Set<SitePage>(), askedAll: false }
  const recording: SiteIndex = {
    ...index,
    anchors: (page) => {
      state.asked.add(page)
      return index.anchors(page)
    },
    sharedAnchors: (site) => {
      state.askedAll = true
      return index.sharedAnchors(site)
    },
  }
  for (const page of index.pages) {
    if (index.unjudged?.has(page)) continue
    const kept = changed && previous.outcomes.get(page)
    if (kept && !(changed.size > 0 && kept.asked.some((path) => changed.has(path)))) {
      outcomes.set(page, kept)
      pages.set(page, kept)
      findings.push(...kept.findings)
      continue
    }
    state.asked = new Set()
    state.askedAll = false
    const found = checkPage(recording, page)
    findings.push(...found.findings)
    pages.set(page, found)
    const asked = Array.from(state.asked)
    if (!state.askedAll && !asked.some((one) => index.hasParts(one))) {
      outcomes.set(page, { ...found, asked: asked.map(({ path }) => path) })
    }
  }
  return { index, findings, pages, outcomes }
}

/** The pages whose anchors changed. Undefined: pages came, went or moved to another address, so nothing can be kept. */
function findChanged(index: SiteIndex, old: SiteIndex): ReadonlySet<string> | undefined {
  if (index.routing !== old.routing || index.insertsOthers() !== old.insertsOthers()) return undefined
  const changed = new Set<string>()
  for (const [at, page] of index.pages.entries()) {
    const before = old.pages[at]
    if (!before || before === page) continue
    const hasParts = old.hasParts(before) || index.hasParts(page)
    if (hasParts || !areSame(old.anchors(before), index.anchors(page))) changed.add(page.path)
  }
  return changed
}

function areSame({ known: some, isOpen }: Anchors, { known: others, isOpen: isOtherOpen }: Anchors): boolean {
  return isOpen === isOtherOpen && (some === others || (some.size === others.size && some.isSubsetOf(others)))
}
