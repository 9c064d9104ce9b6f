// Looks up what a change adds to pages: names, paths, versions, values. Everything that is neither in the documentation before
// the change, nor in the repository and its sources, nor in what people wrote or a fetched page says, is listed.

import { isPagePath } from '../docs-syntax/markdown.ts'
import { hasAmount } from './amounts.ts'
import type { Change } from './changed-pages.ts'
import { type Claim, claimsOf, type Need, type Part } from './claims.ts'
import { hasName, isMadeOf, isClass, isContainer, isDeclared, isDefinition, isJoinedIn, piecesOf } from './forms.ts'
import { findLines, findPresent, type Lines, type Where } from './look-up.ts'
import type { ChangedText, Grounding, Place, Ungrounded } from './places.ts'

export type Evidence = {
  /** The repository before the change, and the sources. */
  readonly places: readonly Place[]
  /** Messages of people, fetched pages. */
  readonly texts: readonly string[]
  /** Names of the product, such as those of its repositories. */
  readonly own: readonly string[]
  readonly signal: AbortSignal
}

/** How far a value or a place may be from the name that it belongs to. */
const nearLines = 20
/** A name in more files says nothing about a value near it. */
const mostFiles = 150
const maxFileBytes = 1_000_000

/** Never throws for a place that cannot be searched in time: its terms are counted as not judged. */
export async function findUngrounded({ texts, left }: Change, evidence: Evidence): Promise<Grounding> {
  const claims = await judgeClaims(texts, evidence)
  const of = (wanted: Verdict) => claims.flatMap(({ claim, verdict }) => (verdict === wanted ? [claim] : []))
  const unknown = of('unknown')
  return {
    ungrounded: toList(of('missing')),
    judged: claims.length - unknown.length,
    notJudged: [
      ...unknown.map(({ path, line, term }) => ({ path, line, term })),
      ...left.map((path) => ({ path, line: 1, term: '' })),
    ],
  }
}

export type Judged = { readonly claim: Claim; readonly verdict: 'found' | 'missing' | 'unknown' }

export async function judgeClaims(change: readonly ChangedText[], evidence: Evidence): Promise<Judged[]> {
  const claims = claimsOf(change, new Set(evidence.own))
  const texts = [...change.flatMap(({ before }) => (before === undefined ? [] : [before])), ...evidence.texts]
  const paths = new Set(change.map(({ path }) => path))
  const open = claims.filter(({ need }) => !isInTexts(need, texts) && !isFile(need, paths))
  const verdicts = await lookUp(open, texts, evidence)
  // A flag that is nowhere is listed once, not for its command, too.
  const missing = new Set(
    open.flatMap((claim) => (verdicts.get(claim) === 'missing' ? [`${claim.path} ${claim.term}`] : [])),
  )
  const isSaid = ({ path, term }: Claim) =>
    missing.has(`${path} ${term.slice(term.indexOf(' ') + 1)}`) && term.includes(' ')
  return claims.map((claim) => ({ claim, verdict: isSaid(claim) ? 'found' : (verdicts.get(claim) ?? 'found') }))
}

type Verdict = Judged['verdict']

async function lookUp(
  claims: readonly Claim[],
  texts: readonly string[],
  evidence: Evidence,
): Promise<Map<Claim, Verdict>> {
  const verdicts = new Map<Claim, Verdict>(claims.map((claim) => [claim, 'unknown']))
  const { places, signal } = evidence
  try {
    const present = await findPresent(
      claims.flatMap(({ need }) => wholesOf(need)),
      places,
      signal,
    )
    const files = await listPaths(places)
    const open: Claim[] = []
    for (const claim of claims) {
      const { need } = claim
      if (need.kind === 'name') verdicts.set(claim, need.forms.some((form) => present.has(form)) ? 'found' : 'missing')
      else if (need.kind === 'joined' && (present.has(need.whole) || isFile(need, files))) verdicts.set(claim, 'found')
      else open.push(claim)
    }
    await addComposed(claims, verdicts, evidence)
    const names = open.flatMap(({ need }) => partsOf(need))
    const lines = await findLines(names, places, signal)
    for (const claim of open) verdicts.set(claim, await judgeNear(claim.need, lines, texts))
  } catch (error) {
    // The rest stays unknown.
    if (!isExpected(error)) throw error
  }
  return verdicts
}

/** Names that the code puts together of texts that end in `_`, and an end. */
async function addComposed(
  claims: readonly Claim[],
  verdicts: Map<Claim, Verdict>,
  { places, signal }: Evidence,
): Promise<void> {
  const missing = claims.flatMap((claim) =>
    claim.need.kind === 'name' && verdicts.get(claim) === 'missing' ? [{ claim, name: claim.term }] : [],
  )
  const present = await findPresent(
    missing.flatMap(({ name }) => piecesOf(name)),
    places,
    signal,
  )
  for (const { claim, name } of missing) if (isMadeOf(name, present)) verdicts.set(claim, 'found')
}

function isExpected(error: unknown): boolean {
  return error instanceof Error
}

function wholesOf(need: Need): readonly string[] {
  if (need.kind === 'name') return need.forms
  return need.kind === 'joined' ? [need.whole] : []
}

function partsOf(need: Need): readonly string[] {
  if (need.kind === 'value') return need.names
  return need.kind === 'joined' ? need.parts.flat() : []
}

function isInTexts(need: Need, texts: readonly string[]): boolean {
  switch (need.kind) {
    case 'name':
      return isInAny(need.forms, texts)
    case 'joined':
      return texts.some((text) => hasName(text, need.whole))
    case 'value':
      return texts.some((text) => isNearInText(text, need, true))
    default:
      return false
  }
}

/** Whether a file or folder has this path, whole or at its end. */
function isFile(need: Need, paths: ReadonlySet<string>): boolean {
  if (need.kind !== 'joined' || !need.isPath) return false
  const wanted = need.whole.replace(/\/+$/, '').replace(/^(?:\.{1,2}\/)+|^\//, '')
  if (wanted === '' || paths.has(wanted)) return true
  for (const path of paths) {
    const at = path.indexOf(wanted)
    // A page is also named without its extension, a folder by its name.
    if (at !== -1 && (at === 0 || path[at - 1] === '/') && /^(?:$|\/|\.\w+$)/.test(path.slice(at + wanted.length)))
      return true
  }
  return false
}

async function listPaths(places: readonly Place[]): Promise<Set<string>> {
  const lists = await Promise.all(places.map(({ files }) => files.list()))
  return new Set(lists.flatMap((list) => list.map(({ path }) => path)))
}

async function judgeNear(need: Need, lines: Lines, texts: readonly string[]): Promise<Verdict> {
  if (need.kind === 'joined') return judgeJoined(need, lines, texts)
  return need.kind === 'value' ? await judgeValue(need, lines) : 'missing'
}

type Joined = Need & { readonly kind: 'joined' }
type Value = Need & { readonly kind: 'value' }

function judgeJoined({ parts, isPath }: Joined, { lines, common }: Lines, texts: readonly string[]): Verdict {
  const linesOf = (part: Part) => part.flatMap((form) => lines.get(form) ?? [])
  const isPresent = (part: Part) => linesOf(part).length > 0 || isInAny(part, texts)
  if (parts.length === 0) return 'found'
  if (!parts.every(isPresent)) return 'missing'
  if (parts.length === 1) return isPath ? 'missing' : 'found'
  for (const [at, part] of parts.slice(1).entries()) {
    const owner = parts[at] ?? []
    if (isNear(linesOf(owner), linesOf(part), owner, part)) continue
    if (texts.some((text) => isNearNames(text, owner, part))) continue
    const isCommon = [...owner, ...part].some((form) => common.has(form))
    return isCommon ? 'unknown' : 'missing'
  }
  return 'found'
}

function isInAny(forms: readonly string[], texts: readonly string[]): boolean {
  return forms.some((form) => texts.some((text) => hasName(text, form)))
}

/**
 * Whether the part is beside its owner: in one line with it, or defined at most 20 lines below it, or defined in a file that is
 * named after it. Without "defined", a real name in the wrong place is near everything.
 */
function isNear(owners: readonly Where[], parts: readonly Where[], owner: Part, part: Part): boolean {
  const byFile = Map.groupBy(owners, ({ place, path }) => `${place.name}\0${path}`)
  return parts.some(({ place, path, line, text }) => {
    if (isJoinedIn(text, owner, part)) return true
    if (!part.some((form) => isDefinition(text, form))) return false
    const [file, folder] = fileNames(path)
    if (owner.some((form) => form.toLowerCase() === file)) return true
    // Much is in a folder: only what a keyword defines there.
    if (owner.some((form) => form.toLowerCase() === folder) && part.some((form) => isDeclared(text, form))) return true
    const others = byFile.get(`${place.name}\0${path}`) ?? []
    return others.some((other) => {
      if (other.line >= line) return false
      if (line - other.line <= nearLines) return owner.some((form) => isContainer(other.text, form))
      // A class is one block, however long it is.
      return /^\s/.test(text) && owner.some((form) => isClass(other.text, form))
    })
  })
}

/** The name of the file, and that of its folder. */
function fileNames(path: string): string[] {
  const [file = '', folder = ''] = path.toLowerCase().split('/').toReversed()
  return [file.replace(/\.\w+$/, ''), folder].map((name) => name.replace(/^_+/, ''))
}

async function judgeValue(need: Value, { lines, common }: Lines): Promise<Verdict> {
  const found = need.names.flatMap((name) => lines.get(name) ?? [])
  if (found.some(({ text }) => hasAmount(text, need.amount))) return 'found'
  const byFile = Map.groupBy(found, ({ place, path }) => `${place.name}\0${path}`)
  if (byFile.size > mostFiles || need.names.some((name) => common.has(name))) return 'unknown'
  for (const [first] of byFile.values()) {
    if (!first) continue
    const bytes = await first.place.files.read(first.path).catch(() => undefined)
    if (!bytes || bytes.byteLength > maxFileBytes) continue
    if (isNearInText(new TextDecoder().decode(bytes), need, isPagePath(first.path))) return 'found'
  }
  return found.length === 0 ? 'unknown' : 'missing'
}

/** `hasBlocks`: lines without a blank one between them belong together, as in a table. */
function isNearInText(text: string, { names, amount }: Value, hasBlocks: boolean): boolean {
  if (!names.some((name) => text.includes(name))) return false
  const lines = text.split('\n')
  return lines.some((line, at) => {
    if (!names.some((name) => hasName(line, name))) return false
    let [from, to] = [Math.max(0, at - nearLines), Math.min(lines.length - 1, at + nearLines)]
    if (hasBlocks) {
      while (from > 0 && lines[from - 1]?.trim() !== '' && at - from < 200) from -= 1
      while (to < lines.length - 1 && lines[to + 1]?.trim() !== '' && to - at < 200) to += 1
    }
    return lines.slice(from, to + 1).some((near) => hasAmount(near, amount))
  })
}

function isNearNames(text: string, owner: Part, part: Part): boolean {
  const lines = text.split('\n')
  const owners = lines.flatMap((line, at) => (owner.some((form) => isContainer(line, form)) ? [at] : []))
  return lines.some((line, at) => {
    if (isJoinedIn(line, owner, part)) return true
    const isBelow = owners.some((above) => above < at && at - above <= nearLines)
    return isBelow && part.some((form) => isDefinition(line, form))
  })
}

function toList(claims: readonly Claim[]): Ungrounded[] {
  const seen = new Set<string>()
  return claims
    .filter(({ path, term }) => !seen.has(`${path}\0${term}`) && seen.add(`${path}\0${term}`))
    .map(({ path, line, term }) => ({ path, line, term }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
}
