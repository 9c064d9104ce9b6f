// `stale-term`: a documented name that a source had and no source has any more, and where the page does not say so itself.

import { packageKeysOf } from './sources/packages.ts'
import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import type { Finding } from '../finding.ts'
import type { SitePage } from '../rules/site-page.ts'
import type { Documented, Segment } from './documented.ts'
import { type Looked, missingOf } from './looked.ts'
import { hasForm } from './sources/definition.ts'
import type { Past, Removal } from './sources/past.ts'
import type { Pins } from './sources/pins.ts'
import { findLine } from './places.ts'
import type { Removed } from './sources/removed.ts'

type Gone = {
  readonly term: Documented
  readonly segment: Segment
  readonly key: string
  readonly past: Past
  readonly removed: Removed
}
type Placed = Gone & { readonly at: { readonly page: SitePage; readonly line: number }[] }

export async function findStaleTerms(looked: Looked): Promise<Finding[]> {
  const placed: Placed[] = []
  for (const term of looked.terms.values()) {
    const gone = goneOf(term, looked)
    if (!gone) continue
    const at = await placesOf(gone, looked)
    if (at.length > 0) placed.push({ ...gone, at })
  }
  const findings: Finding[] = []
  for (const one of placed) {
    const { past, segment, key, removed } = one
    const removal = await looked.locate(past, { written: segment.text, key, removed })
    if (removal?.isMovedOut) continue
    // A name that the pages took up only later is another thing.
    if (removal?.commit && (await looked.docsPast.had(segment.text, lastOf(one, removal.commit.date))) === false)
      continue
    findings.push(
      ...toFindings(one, removal ?? { source: past.source, commit: null, name: undefined, isMovedOut: false }),
    )
  }
  return findings
}

/** The name of the term that the history defined, and that is nowhere now. */
function goneOf(term: Documented, { pins, pasts }: Looked): Gone | undefined {
  if (term.kind === 'path') return undefined
  const isOwn = term.segments.length > 1 && term.segments.slice(0, 1).some(({ keys }) => pins.isOwn(keys[0]))
  // A text in code may be the name of anything, and so may a word in an example.
  const isClear = isOwn || term.isDescribed || term.kind !== 'name'
  for (const segment of missingOf(term, pins)) {
    if (!isClear && !term.isInline && !segment.isMarked) continue
    for (const past of pasts)
      for (const key of segment.keys.slice(0, 1)) {
        const lines = past.names.of(key).filter((one) => term.kind !== 'name' || hasForm(segment.text, key, one))
        const declared = lines.find(({ definition }) => definition === 'declared')
        const removed = declared ?? (isClear ? lines.find(({ definition }) => definition !== undefined) : undefined)
        if (removed) return { term, segment, key, past, removed }
      }
  }
  return undefined
}

/** When the source still had the name, if only in use. */
function lastOf({ past, key }: Gone, removed: Date): Date {
  const dates = past.names.of(key).flatMap(({ older }) => past.revisions[older]?.date ?? [])
  return dates.reduce((last, date) => (date > last ? date : last), removed)
}

/** One place on each page, where it does not speak of the past or of another product. */
async function placesOf({ term, segment }: Gone, { pins, linesOf }: Looked): Promise<Placed['at']> {
  const found: Placed['at'] = []
  for (const page of new Set(term.places.map((place) => place.page))) {
    const lines = await linesOf(page)
    // `name = 5` in a block is an example of an option if the text names it, too.
    if (!term.isInline && !term.isDescribed && term.kind !== 'flag' && lines.isOwn(segment.text)) continue
    if (lines.importedFrom(segment.text).some((from) => packageKeysOf(from).some((key) => pins.isDependency(key))))
      continue
    const line = findLine(term.text, lines, {
      excuses: (other) => isSuccessor(segment, other, pins),
      isForeign: (module) => packageKeysOf(module).some((key) => pins.isDependency(key)),
    })
    if (line !== undefined) found.push({ page, line })
  }
  return found
}

/** Whether a name in the same line is there and like the one that is gone: a table of old and new names. */
function isSuccessor({ text, keys: [key] }: Segment, other: string, pins: Pins): boolean {
  const [ours, theirs] = [termKeys(text), termKeys(other)]
  if (theirs.whole === key || theirs.whole.length < 4 || !pins.hasName(theirs.whole)) return false
  return key.endsWith(theirs.whole) || (theirs.words.length > 1 && ours.words.at(-1) === theirs.words.at(-1))
}

function toFindings({ term: { text }, segment, at }: Placed, { source, commit, name }: Removal): Finding[] {
  const suggestion = name === undefined ? undefined : text.replace(segment.text, name)
  const what = segment.text === text ? 'which' : `and ${segment.text} is what`
  const when = commit === null ? '' : ` in ${commit.commit.slice(0, 7)} of ${commit.date.toISOString().slice(0, 10)}`
  return at.map(({ page, line }) => ({
    kind: 'stale-term',
    path: page.path,
    line,
    target: text,
    message: `names ${text}, ${what} ${source.name} removed${when}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  }))
}
