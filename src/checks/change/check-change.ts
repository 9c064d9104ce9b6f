// Checks what a change does without reading everything: of the pages that stay as they are, it judges those that may lead to
// something which the change touches, found by a scan of all texts, and reads those of which a rule asks more than their outline
// says. All others have the same findings before and after.
//
//   judge the changed pages on both sides ─► does a text mention a changed name, or did a rule ask more of a page?
//                    ▲                            │ yes                                           │ no
//                    └───────────── judge, or read these pages too                          the conclusion
//
// It gives up where the whole check is needed: the configuration changed, or most pages would be read.

import { setImmediate } from 'node:timers/promises'
import { type CheckOptions, type CheckResult, judge, readFiles } from '../check-tree.ts'
import type { KeptFacts } from '../facts/reader.ts'
import { findFilesToCheck, type PlacedFile } from '../files-to-check.ts'
import { findGround, type Ground } from '../ground.ts'
import type { SiteIndex, UnjudgedPages } from '../rules/site-index.ts'
import type { SiteTree } from '../../sites/tree.ts'
import { addChangedNames } from './changed-names.ts'
import { createNames, type Names } from './mentions.ts'
import { type Outline, readOutline } from './outline.ts'

type Sides<Side> = { readonly before: Side; readonly after: Side }
/** Without the findings of pages that are not judged, which are the same on both sides. */
export type ChangeChecks = Sides<CheckResult>

type Options = Pick<CheckOptions, 'sites' | 'signal'> & {
  readonly facts: KeptFacts
  /** The share of the pages that may be read. To read more than half takes as long as to read all. */
  readonly mostRead?: number
  /** If fewer pages are not known, the whole check is quick. */
  readonly fewestUnknown?: number
}
/** By what decides the facts of a page. */
type Outlines = Map<string, Outline>

const fewestPages = 20
const mostRounds = 8
/** Texts that are read before other work gets a turn. */
const textsAtOnce = 50

/**
 * Returns what `conclude` makes of the checks. It may be called several times, and asks them everything that its result
 * depends on. Undefined: only the whole check can tell.
 */
export async function checkChange<Conclusion>(
  trees: Sides<SiteTree>,
  options: Options,
  conclude: (checks: ChangeChecks) => Conclusion | Promise<Conclusion>,
): Promise<Conclusion | undefined> {
  const { mostRead = 0.5 } = options
  const before = await openSide(trees.before, options)
  const after = await openSide(trees.after, options, before.ground)
  if (!areAlike(before.ground, after.ground) || !(await isLong(before, options))) return undefined
  const all = new Set([...before.files.pages, ...after.files.pages].map(keyOf)).size
  const asked = new Set<string>()
  const outlines = await readOutlines({ before, after }, asked, options.signal)
  for (let round = 0; round < mostRounds; round += 1) {
    const read = all - outlines.size + asked.size
    if (read > Math.max(fewestPages, all * mostRead)) return undefined
    const names = createNames()
    const known = asked.size
    const reading = { outlines, asked: new Set(asked), unjudged: toUnjudged(after, outlines, names), options }
    const checks = { before: await checkSide(before, reading), after: await checkSide(after, reading) }
    if (checks.before.index.insertsOthers() !== checks.after.index.insertsOthers()) return undefined
    addChangedNames(checks, names)
    const conclusion = await conclude(checks)
    const mentions = names.matcher()
    if (!mentions) return undefined
    const places = findPlaces(after, checks.after.index)
    const judged = [
      ...after.files.pages.filter((page) => isPlacedAnew(checks, page)).map(keyOf),
      ...[...outlines].flatMap(([key, { text }]) => (mentions(text, places.get(key) ?? []) ? [key] : [])),
    ]
    if (asked.size === known && !judged.some((key) => outlines.has(key))) return conclusion
    for (const key of judged) {
      outlines.delete(key)
      asked.delete(key)
    }
    options.signal.throwIfAborted()
  }
  return undefined
}

type Side = Awaited<ReturnType<typeof openSide>>

async function openSide(tree: SiteTree, options: Options, previous?: Ground) {
  const ground = await findGround(tree, options, previous)
  return { tree, ground, files: findFilesToCheck(tree, ground.sites) }
}

/** Whether so many pages would be read that a part of them is worth finding. */
async function isLong({ files }: Side, { facts, fewestUnknown = 0 }: Options): Promise<boolean> {
  let unknown = 0
  for (const { file, place } of files.pages) {
    if (unknown >= fewestUnknown) return true
    if (!(await facts.isKnown(file, place.site.syntaxOf(place.name)))) unknown += 1
  }
  return unknown >= fewestUnknown
}

/** Whether the sites are configured in the same way. */
function areAlike(before: Ground, after: Ground): boolean {
  if (before === after) return true
  if (before.read.size !== after.read.size) return false
  if ([...before.read].some(([path, content]) => after.read.get(path) !== content)) return false
  return JSON.stringify(before.sites) === JSON.stringify(after.sites)
}

function keyOf({ file, place }: PlacedFile): string {
  return `${place.site.syntaxOf(place.name)} ${file.oid}`
}

/** Those of the pages that have the same content at the same place on both sides. */
async function readOutlines(
  { before, after }: Sides<Side>,
  asked: Set<string>,
  signal: AbortSignal,
): Promise<Outlines> {
  const [old, now] = [placesOf(before), placesOf(after)]
  const changed = new Set(
    [...old.keys(), ...now.keys()].flatMap((path) => {
      const [was, is] = [old.get(path), now.get(path)]
      return was && is && was.at === is.at && was.key === is.key ? [] : [was?.key, is?.key]
    }),
  )
  const outlines: Outlines = new Map()
  let texts = 0
  for (const { file, place } of after.files.pages) {
    const key = keyOf({ file, place })
    if (changed.has(key) || outlines.has(key)) continue
    const text = new TextDecoder().decode(await after.tree.read(file.path))
    const { site, name } = place
    const outline = readOutline(text, { site, syntax: site.syntaxOf(name), note: () => asked.add(key) })
    if (outline) outlines.set(key, outline)
    texts += 1
    if (texts % textsAtOnce > 0) continue
    await setImmediate()
    signal.throwIfAborted()
  }
  return outlines
}

function placesOf({ files, ground }: Side) {
  return new Map(
    files.pages.map((page) => {
      const { site, mount, name } = page.place
      const at = JSON.stringify([ground.sites.indexOf(site), site.mounts.indexOf(mount), name])
      return [page.file.path, { at, key: keyOf(page) }]
    }),
  )
}

function toUnjudged({ files }: Side, outlines: Outlines, names: Names): UnjudgedPages {
  const paths = new Set(files.pages.flatMap((page) => (outlines.has(keyOf(page)) ? [page.file.path] : [])))
  return { has: ({ path }) => paths.has(path), noteMentions: (words) => names.add(words) }
}

type Reading = {
  readonly outlines: Outlines
  /** Those of the outlines whose pages are read. */
  readonly asked: ReadonlySet<string>
  readonly unjudged: UnjudgedPages
  readonly options: Options
}

async function checkSide({ tree, ground, files }: Side, { outlines, asked, unjudged, options }: Reading) {
  const { facts } = options
  const read = await readFiles(files, {
    readPage: (page) => {
      const outline = asked.has(keyOf(page)) ? undefined : outlines.get(keyOf(page))
      return outline?.facts ?? facts.page(page.file, page.place.site.syntaxOf(page.place.name), tree)
    },
    readData: (file) => facts.data(file, tree),
  })
  return judge(ground, read, { unjudged })
}

/** The paths and addresses of all pages with the same text. */
function findPlaces({ files }: Side, index: SiteIndex): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  for (const page of files.pages) {
    const key = keyOf(page)
    const { path } = page.file
    const own = [path, ...(index.page(path)?.routes ?? [])]
    const known = places.get(key)
    if (known) known.push(...own)
    else places.set(key, own)
  }
  return places
}

/** Whether something decides differently on one side what the links of the page are relative to. */
function isPlacedAnew({ before, after }: ChangeChecks, { file: { path } }: PlacedFile): boolean {
  const stateIn = (index: SiteIndex) => {
    const page = index.page(path)
    return page && JSON.stringify([index.isInserted(page), index.isInsertedHere(page), page.routes, page.ids])
  }
  const [old, now] = [stateIn(before.index), stateIn(after.index)]
  return old !== undefined && now !== undefined && old !== now
}
