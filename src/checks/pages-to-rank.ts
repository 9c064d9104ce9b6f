// The pages of a documentation that a change can concern, as the engine `affected` takes them: with their terms, and without
// translations, earlier versions and changelogs, which say what others say or what was true before.

import type { CheckResult } from './check-tree.ts'
import { isCopy } from './docs-text.ts'
import type { PageFacts } from './facts/page-facts.ts'
import { type PageTerm, termsOf } from './facts/terms/page-terms.ts'
import { isChangelog } from '../sites/by-path/changelog.ts'

/** A page as the engine takes it. */
export type PageToRank = { readonly path: string; readonly terms: readonly PageTerm[] }

/** `prefix`: put before each path: where the tree is in its repository, with a slash at the end. */
export function pagesToRank({ index }: Pick<CheckResult, 'index'>, prefix = ''): PageToRank[] {
  return index.pages
    .filter((page) => !isCopy(index, page) && !isChangelog(page.path))
    .map(({ path, facts }) => pageToRank(`${prefix}${path}`, facts))
}

/** Its terms are made when they are read, which the engine does once: those of all pages together fill the memory of the processor. */
export function pageToRank(path: string, facts: PageFacts): PageToRank {
  return {
    path,
    get terms() {
      return termsOf(facts)
    },
  }
}
