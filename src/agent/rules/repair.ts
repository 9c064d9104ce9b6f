// Repairs problems that the check found and for which it names what was meant: replaces the address at each place, and names and
// values that the product changed. What has no clear target is left, and so are the places that an instruction leaves alone.

import { isPagePath, parsePage } from '../../docs-syntax/markdown.ts'
import { type Splice, lineAt, lineStarts } from '../../docs-syntax/text.ts'
import type { Problem } from '../checks.ts'
import { type Asked, findLeftAlone, isInside, type LeftAlone, type LeftKind } from './left-alone/left-alone.ts'
import { toLineEdits } from './line-edits.ts'
import { callAll, readPages, reasonOf, type Script } from './script.ts'
import { isStale, stalePlaces } from './stale-places.ts'
import { findTranslations } from './scopes.ts'
import { amount } from './words.ts'

/** The problem and what took its place: `fixed` counts the places. */
export type Fixed = { readonly problem: Problem; readonly places: number }
export type Repaired = {
  readonly fixed: readonly Fixed[]
  /** Problems without a clear target, and those whose place was not found. */
  readonly left: readonly Problem[]
  readonly leftAlone: ReadonlyMap<LeftKind, readonly string[]>
  readonly failed: readonly string[]
}

type Page = { readonly path: string; readonly text: string }
type Plan = Page & {
  readonly splices: readonly Splice[]
  readonly fixed: readonly Fixed[]
  readonly left: readonly Problem[]
  readonly kept: LeftKind | undefined
}

export function* repairProblems(problems: readonly Problem[], asked: Asked): Script<Repaired> {
  const byPath = Map.groupBy(problems, ({ path }) => path)
  const paths = [...byPath.keys()]
  const pages =
    paths.length === 0 ? [] : yield* readPages(`Reading ${amount(paths.length, 'file')} with problems.`, paths)
  const translations = yield* findTranslations(paths)
  const plans = [...pages].flatMap(([path, page]) => {
    const own = byPath.get(path) ?? []
    if (!('text' in page)) return []
    const leftAlone = findLeftAlone({ path, text: page.text }, translations, asked)
    return [planPage({ path, text: page.text }, own, leftAlone)]
  })
  const wanted = plans.filter(({ splices }) => splices.length > 0)
  const calls = wanted.map(({ path, text, splices }) => {
    return { tool: 'edit_file', input: { path, edits: toLineEdits(text, splices) } }
  })
  const results = yield* callAll(`Editing ${amount(calls.length, 'file')}.`, calls)
  const done = wanted.filter((_, index) => !results[index]?.isError)
  const kept = plans.flatMap(({ path, kept }) => (kept ? [{ path, kept }] : []))
  return {
    fixed: done.flatMap(({ fixed }) => fixed),
    left: plans.flatMap(({ left }) => left),
    leftAlone: new Map(
      [...Map.groupBy(kept, (one) => one.kept)].map(([kind, all]) => [kind, all.map(({ path }) => path)]),
    ),
    failed: wanted.flatMap(({ path }, index) => {
      const result = results[index]
      return result?.isError ? [`${path} could not be edited: ${reasonOf(result)}`] : []
    }),
  }
}

function planPage(page: Page, problems: readonly Problem[], leftAlone: LeftAlone | undefined): Plan {
  const splices: Splice[] = []
  const fixed: Fixed[] = []
  const left: Problem[] = []
  let kept: LeftKind | undefined
  // The same address is as wrong everywhere on the page.
  const same = Map.groupBy(problems, ({ kind, target }) =>
    JSON.stringify([isStale(kind) ? kind : kind === 'image', target]),
  )
  for (const [problem, ...others] of same.values()) {
    if (!problem) continue
    const findPlaces = isStale(problem.kind) ? stalePlaces : placesOf
    const all = problem.suggestion === null ? [] : findPlaces(page, [problem, ...others], problem.suggestion)
    const places = all.filter((place) => !(leftAlone && isInside(place, leftAlone)))
    if (places.length < all.length || (all.length === 0 && isLeft(page, [problem, ...others], leftAlone)))
      kept = leftAlone?.kind
    else if (all.length === 0) left.push(problem, ...others)
    const free = places.filter((place) => splices.every((one) => one.end <= place.start || one.start >= place.end))
    splices.push(...free)
    if (free.length > 0) fixed.push({ problem, places: free.length })
  }
  return { ...page, splices, fixed, left, kept }
}

/** Whether the lines of all these problems are left alone. */
function isLeft({ text }: Page, problems: readonly Problem[], leftAlone: LeftAlone | undefined): boolean {
  if (!leftAlone) return false
  const starts = lineStarts(text)
  return problems.every(({ line }) => {
    const start = starts[line - 1] ?? text.length
    return isInside({ start, end: start }, leftAlone)
  })
}

/** The links of a page with the address; otherwise the address between quotes or brackets, on the lines of the problems. */
function placesOf({ path, text }: Page, problems: readonly Problem[], suggestion: string): Splice[] {
  const { target, kind } = problems[0] ?? { target: '', kind: '' }
  const fresh = suggestion.replace(/\s/g, '%20')
  const links = isPagePath(path) ? parsePage(path, text).links : []
  const fitting = links.filter((link) => link.url === target && (kind !== 'image') === (link.kind !== 'image'))
  if (fitting.length > 0) {
    return fitting.map(({ start, end }) => {
      const at = text.slice(start, end).indexOf(target)
      return at === -1
        ? { start, end, text: fresh }
        : { start: start + at, end: start + at + target.length, text: fresh }
    })
  }
  const starts = lineStarts(text)
  const lines = new Set(problems.map(({ line }) => line))
  return occurrences(text, target)
    .filter((start) => lines.has(lineAt(starts, start)))
    .map((start) => ({ start, end: start + target.length, text: fresh }))
}

function occurrences(text: string, target: string): number[] {
  if (target === '') return []
  const found: number[] = []
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + target.length)) {
    const isBounded = /["'`(<\s]/.test(text[at - 1] ?? ' ') && /["'`)>\s,]/.test(text[at + target.length] ?? ' ')
    if (isBounded) found.push(at)
  }
  return found
}
