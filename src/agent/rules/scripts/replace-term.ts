// The script that replaces a term: searches, reads the pages, finds the mentions, updates links to the anchors of changed
// headings, and edits.

import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { ReplaceTerm } from '../instruction.ts'
import { toLineEdits } from '../line-edits.ts'
import {
  type Memo,
  type Outcome,
  type ReadPage,
  type Script,
  callAll,
  readPages,
  reasonOf,
  searchFiles,
  unchanged,
} from '../script.ts'
import { wrappedPattern } from '../../terms/term.ts'
import { findTranslations, toGlobs } from '../scopes.ts'
import { labelData } from '../../../sites/by-path/known-files.ts'
import { type TermPlaces, findTermPlaces } from '../../terms/term-places.ts'
import { describeLeftAlone, findLeftAlone, isInside, type LeftAlone, type LeftKind } from '../left-alone/left-alone.ts'
import type { ChangedAnchor } from '../../terms/anchor-links.ts'
import { findAnchorSplices } from './anchors.ts'
import { amount, listed } from '../words.ts'
import { startOf } from '../../../lib/plain-text.ts'

type Found = {
  readonly path: string
  readonly text: string
  readonly places: TermPlaces
  readonly leftAlone: LeftAlone | undefined
}

export function* replaceTerm(instruction: ReplaceTerm, memo: Memo): Script {
  const { from, to } = instruction
  if (from === to) return unchanged(`“${from}” would stay the same.`)
  const paths = yield* findFiles(instruction)
  const where = instruction.scopes.length === 0 ? '' : ` in ${listed(instruction.scopes)}`
  if (paths.length === 0) return unchanged(`“${from}” was not found${where}.`)
  const wanted = paths.filter((path) => isPagePath(path) || labelData.test(path))
  const pages = yield* readPages(`Reading ${amount(wanted.length, 'file')} with “${from}”.`, wanted)
  const translations = yield* findTranslations(wanted)
  const found = [...pages].flatMap(([path, page]): Found[] => {
    if (!('text' in page)) return []
    const { text } = page
    const key = ['term', path, text, JSON.stringify(instruction), translations(path) ?? '']
    return [
      memo(key, () => {
        const leftAlone = findLeftAlone({ path, text }, translations, instruction)
        const keeps = leftAlone && ((range: Range) => isInside(range, leftAlone))
        return { path, text, leftAlone, places: findTermPlaces({ path, text, keeps }, instruction) }
      }),
    ]
  })
  const anchors = found.flatMap(({ path, places }) => places.anchors.map((anchor) => ({ ...anchor, path })))
  const edited = yield* editPages(found, anchors, { pages, memo })
  const others = paths.filter((path) => !wanted.includes(path))
  return toOutcome(instruction, { found, edited, others, unread: unreadPages(pages), links: anchors.length })
}

/** Finds the files that contain the term, including terms that are broken across two lines. */
function* findFiles({ from, scopes }: ReplaceTerm): Script<readonly string[]> {
  const paths = new Set<string>()
  const wrapped = wrappedPattern(from)
  for (const glob of toGlobs(scopes)) {
    const place = glob === undefined ? {} : { glob }
    const note = `Looking for “${from}”.`
    for (const path of yield* searchFiles(note, { pattern: from, ...place })) paths.add(path)
    if (wrapped === undefined || wrapped.length > 1000) continue
    for (const path of yield* searchFiles(note, { pattern: wrapped, regex: true, ...place }))
      if (isPagePath(path)) paths.add(path)
  }
  return [...paths].toSorted()
}

type Sources = { readonly pages: ReadonlyMap<string, ReadPage>; readonly memo: Memo }
type Edited = { readonly paths: ReadonlySet<string>; readonly problems: readonly string[]; readonly links: number }

function* editPages(found: readonly Found[], anchors: readonly ChangedAnchor[], sources: Sources): Script<Edited> {
  const splices = new Map(found.map(({ path, places }) => [path, [...places.splices]]))
  const texts = new Map(found.map(({ path, text }) => [path, text]))
  const moved = anchors.length === 0 ? [] : yield* findAnchorSplices(anchors, sources)
  for (const link of moved) {
    const isTaken = splices.get(link.path)?.some((one) => one.start < link.splice.end && link.splice.start < one.end)
    if (!isTaken) splices.set(link.path, [...(splices.get(link.path) ?? []), link.splice])
    texts.set(link.path, link.text)
  }
  const wanted = [...splices].filter(([, list]) => list.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const calls = wanted.map(([path, list]) => {
    const text = texts.get(path) ?? ''
    const edits = sources.memo(['edits', text, JSON.stringify(list)], () => toLineEdits(text, list))
    return { tool: 'edit_file', input: { path, edits } }
  })
  const results = yield* callAll(`Editing ${amount(calls.length, 'file')}.`, calls)
  const problems = results.flatMap((result, index) =>
    result.isError ? [`${wanted[index]?.[0] ?? ''} could not be edited: ${reasonOf(result)}`] : [],
  )
  const paths = new Set(wanted.flatMap(([path], index) => (results[index]?.isError ? [] : [path])))
  return { paths, problems, links: moved.length }
}

/** The files of each kind in which a mention stayed. */
function leftPaths(found: readonly Found[]): Map<LeftKind, string[]> {
  const paths = new Map<LeftKind, string[]>()
  for (const { path, places, leftAlone } of found) {
    if (leftAlone && places.kept > 0) paths.set(leftAlone.kind, [...(paths.get(leftAlone.kind) ?? []), path])
  }
  return paths
}

function unreadPages(pages: ReadonlyMap<string, ReadPage>): string[] {
  return [...pages].flatMap(([path, page]) =>
    'problem' in page ? [`${path} was not read: ${startOf(page.problem, 300)}`] : [],
  )
}

type Work = {
  readonly found: readonly Found[]
  readonly edited: Edited
  readonly others: readonly string[]
  readonly unread: readonly string[]
  readonly links: number
}

function toOutcome({ from, to, inCode }: ReplaceTerm, { found, edited, others, unread }: Work): Outcome {
  const done = found.filter(({ path, places }) => places.replaced > 0 && edited.paths.has(path))
  const sum = (pick: (places: TermPlaces) => number, list = found): number =>
    list.reduce((all, { places }) => all + pick(places), 0)
  const replaced = sum(({ replaced }) => replaced, done)
  const leftInCode = sum((places) => places.leftInCode)
  const leftElsewhere = sum((places) => places.leftElsewhere)
  const left = [
    ...(leftInCode > 0 && !inCode
      ? [
          `${amount(leftInCode, 'mention')} of “${from}” in code ${leftInCode === 1 ? 'was' : 'were'} left as ${leftInCode === 1 ? 'it is' : 'they are'}.`,
        ]
      : []),
    ...(leftElsewhere > 0
      ? [
          `${amount(leftElsewhere, 'mention')} of “${from}” in addresses, attributes or other places outside prose were left.`,
        ]
      : []),
    ...(others.length > 0
      ? [
          `“${from}” also occurs in ${listed(others)}, which ${others.length === 1 ? 'is not a page' : 'are not pages'} and did not change.`,
        ]
      : []),
    ...describeLeftAlone(`“${from}”`, leftPaths(found)),
    ...unread,
    ...edited.problems,
  ]
  if (replaced === 0) return unchanged(...(left.length > 0 ? left : [`“${from}” was not found.`]))
  const where = listed(done.map(({ path }) => path))
  const links =
    edited.links > 0 ? [`Updated ${amount(edited.links, 'link')} to headings whose anchors changed with it.`] : []
  const what = `Replaced “${from}” by “${to}” ${amount(replaced, 'time')} in ${amount(done.length, 'file')}: ${where}.`
  return { changed: true, done: [what, ...links], left }
}
