// Which names a documentation has and an earlier state of it has not: a search for few names in the sources says whether they can be
// drift.

import { type Documented, documentedIn } from './documented.ts'
import type { DocsPages } from './drift.ts'
import { isCurrent, readLines } from './excused.ts'
import { missingOf } from './looked.ts'
import { valuesIn } from './values.ts'

/** The pages of each state that are not the same in all of them. */
export function changedPages(states: readonly DocsPages[]): readonly DocsPages[] {
  const [first, ...others] = states.map(({ tree }) => new Map(tree.entries().map(({ path, oid }) => [path, oid])))
  const isSame = (path: string) => first !== undefined && others.every((oids) => oids.get(path) === first.get(path))
  return states.map(({ tree, pages }) => ({ tree, pages: pages.filter(({ path }) => !isSame(path)) }))
}

export type AddedNames = {
  readonly terms: readonly Documented[]
  /** Whether a value is added: only the lines of the sources tell whether it is right. */
  readonly hasValues: boolean
}

/** `docs`: the earlier state first. */
export async function findAddedNames([before, ...later]: readonly DocsPages[]): Promise<AddedNames> {
  const old = documentedIn(before?.pages.filter(isCurrent) ?? [])
  const terms = later.flatMap(({ pages }) => [...documentedIn(pages.filter(isCurrent)).values()])
  const values = before ? await readValues(before) : new Set<string>()
  const added = await Promise.all(later.map(async (one) => (await readValues(one)).difference(values)))
  return {
    terms: terms.filter(({ text }) => !old.has(text)),
    hasValues: added.some(({ size }) => size > 0),
  }
}

/** `present`: keys of names that a source has. */
export function areAllPresent(terms: readonly Documented[], present: ReadonlySet<string>): boolean {
  const pins = {
    hasName: (key: string) => present.has(key),
    isBeginning: () => false,
    isDependency: () => false,
    isNamedLikeDependency: () => false,
  }
  return terms.every((term) => missingOf(term, pins).length === 0)
}

async function readValues({ tree, pages }: DocsPages): Promise<Set<string>> {
  const found = new Set<string>()
  for (const page of pages.filter(isCurrent)) {
    if (page.facts.terms.inline === '') continue
    const lines = readLines(page, new TextDecoder().decode(await tree.read(page.path)))
    for (const { name, literal } of valuesIn(page, lines)) found.add(JSON.stringify([name, literal]))
  }
  return found
}
