// The body of a pull request on a forge. The text belongs to people as soon as one of them edits it; what the service
// adds itself is between markers, which the next run replaces. Comments in HTML are not shown by any forge. Pure.

import { createHash } from 'node:crypto'
import { shorten } from '../lib/plain-text.ts'
import type { FactsPart } from './forge.ts'

export type BodyParts = {
  readonly jobId: string
  /** Its digest is kept in the body, and shows later whether a person has edited the title. */
  readonly title: string
  /** The first lines, as long as they hold; empty: no note. */
  readonly note: string
  /** Facts that come before the text; empty or missing: no facts. */
  readonly lead?: string
  readonly text: string
  readonly facts: string
}

/** GitHub takes 65,536 characters; GitLab and Gitea take more, Bitbucket and Azure DevOps less. */
export const maxBodyCharacters = 60_000

/** How long a body may be on a host. */
export type BodyLimit = {
  readonly characters: number
  /** The facts are elsewhere: the most characters that the body shows of them. Missing: they are in the body. */
  readonly mostFacts?: number
}

const usual: BodyLimit = { characters: maxBodyCharacters }
const maxNoteCharacters = 15_000
/** Longer than any facts, whose lists have limits: a cut could open a mention that was code. */
const maxFactsCharacters = 28_000

/** Is this the body of a pull request of the job? */
export function isBodyOfJob(body: string, jobId: string): boolean {
  return body.includes(jobMarker(jobId))
}

/** Is this the title that the service gave the pull request with this body, and not one of a person? */
export function isOwnTitle(body: string, title: string): boolean {
  return body.includes(titleMarker(title))
}

export function hasNote(body: string): boolean {
  return notePattern.test(body)
}

export function composeBody(given: BodyParts, limit = usual): string {
  const parts = withRoom(given, limit)
  const added = sizeOn(limit, Object.values(blocksOf(parts, '')).join(''))
  const text = normalise(shorten(hideMarkers(parts.text), Math.min(limit.characters, maxBodyCharacters) - added - 200))
  return join(text, '', blocksOf(parts, digestOf(text)))
}

/** How many characters of the limit a body takes. */
export function sizeOn({ mostFacts }: BodyLimit, body: string): number {
  const facts = mostFacts === undefined ? undefined : splitFacts(body)
  return body.length - (facts?.content.length ?? 0) + (facts ? (mostFacts ?? 0) : 0)
}

/**
 * Returns the body with today's note and facts. Replaces the text too, unless a person has edited it since the service
 * wrote it. Whatever people wrote around the markers stays.
 */
export function updateBody(existing: string, given: BodyParts, limit = usual): string {
  const parts = withRoom(given, limit)
  const body = normalise(existing)
  const block = factsPattern.exec(body)
  const [before = '', after = ''] = block
    ? [body.slice(0, block.index), body.slice(block.index + block[0].length)]
    : [body]
  const text = normalise(before.replace(notePattern, '').replace(leadPattern, ''))
  const others = normalise(after)
  if (block?.[1] !== undefined && block[1] === digestOf(text)) {
    const composed = composeBody(parts, limit)
    return others === '' ? composed : `${composed}\n\n${others}`
  }
  return join(text, others, blocksOf(parts, 'edited'))
}

/** Returns the body with a part of the facts replaced; undefined if it is not there. What people wrote stays. */
export function amendBody(existing: string, part: FactsPart): string | undefined {
  const body = normalise(existing)
  const block = factsPattern.exec(body)?.[0]
  const [old, now] = [part.old, part.new].map((text) => normalise(hideMarkers(text)))
  if (!block?.includes(jobMarker(part.jobId)) || old === undefined || now === undefined || !block.includes(old))
    return undefined
  return body.replace(block, () => block.replace(old, () => now))
}

/** Where there is little room, note and lead have a quarter of it each, in whole lines: a cut could open a mention. */
function withRoom(parts: BodyParts, { characters }: BodyLimit): BodyParts {
  const most = Math.floor(characters / 4)
  if (most >= maxNoteCharacters) return parts
  const fit = (text: string) =>
    text.length <= most ? text : `${text.slice(0, Math.max(0, text.lastIndexOf('\n', most)))}\n\n…`
  return { ...parts, note: fit(parts.note), ...(parts.lead === undefined ? {} : { lead: fit(parts.lead) }) }
}

type Blocks = { readonly note: string; readonly lead: string; readonly facts: string }

function blocksOf({ jobId, title, note, lead = '', facts }: BodyParts, digest: string): Blocks {
  const between = ([begin, end]: Markers, text: string, length: number) =>
    `${begin}\n${shorten(normalise(hideMarkers(text)), length - 1)}\n${end}`
  return {
    note: note === '' ? '' : between(markersOf('note'), note, maxNoteCharacters),
    lead: lead === '' ? '' : between(markersOf('lead'), lead, maxNoteCharacters),
    facts: between(factsMarkers({ jobId, digest, titleDigest: digestOf(title) }), facts, maxFactsCharacters),
  }
}

type Markers = readonly [begin: string, end: string]

/** Each on a line of its own. Those of the facts say more: `factsMarkers`. */
export function markersOf(block: 'note' | 'lead' | 'facts'): Markers {
  return [`<!-- docent:${block} -->`, `<!-- /docent:${block} -->`]
}

type FactsMarked = { readonly jobId: string; readonly digest: string; readonly titleDigest: string }

/** `digest`: of the text as the service wrote it; `edited`: people wrote it. */
export function factsMarkers({ jobId, digest, titleDigest }: FactsMarked): Markers {
  const begin = `<!-- docent:facts ${digest} -->\n${jobMarker(jobId)}\n<!-- docent:title ${titleDigest} -->`
  return [begin, markersOf('facts')[1]]
}

type SplitFacts = {
  /** Up to the markers that begin the facts, and from the one that ends them. */
  readonly before: string
  readonly content: string
  readonly after: string
}

/** Undefined: the body has no facts. Takes linear time. */
export function splitFacts(body: string): SplitFacts | undefined {
  const begin = factsBegin.exec(body)
  const from = begin ? begin.index + begin[0].length : -1
  const to = begin ? body.indexOf(`\n${markersOf('facts')[1]}`, from) : -1
  if (to < 0) return undefined
  return { before: body.slice(0, from), content: body.slice(from + 1, to), after: body.slice(to + 1) }
}

/** The job whose pull request has this body. */
export function jobOf(body: string): string | undefined {
  return /^<!-- docent:job=(\S+) -->$/m.exec(body)?.[1]
}

/** Was the text written by people? */
export function isEdited(body: string): boolean {
  return factsPattern.exec(body)?.[1] === 'edited'
}

function join(text: string, others: string, { note, lead, facts }: Blocks): string {
  return [note, lead, text, facts, others].filter((part) => part !== '').join('\n\n')
}

const notePattern = /<!-- docent:note -->[^]*?<!-- \/docent:note -->/
const leadPattern = /<!-- docent:lead -->[^]*?<!-- \/docent:lead -->/
const factsBegin =
  /^<!-- docent:facts [0-9a-z]* -->\n<!-- docent:job=\S{1,100} -->\n<!-- docent:title [0-9a-z]* -->(?=\n)/m
const factsPattern = /<!-- docent:facts ([0-9a-z]*) -->[^]*?<!-- \/docent:facts -->/

export function jobMarker(jobId: string): string {
  return `<!-- docent:job=${jobId} -->`
}

function titleMarker(title: string): string {
  return `<!-- docent:title ${digestOf(title)} -->`
}

/** Text of models and people must not look like a marker, or end one. */
export function hideMarkers(text: string): string {
  return text.replaceAll(/<!--\s*(?=\/?docent:)/g, '&lt;!-- ')
}

/** Forges change the ends of lines and the space around a text. */
export function normalise(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trim()
}

export function digestOf(text: string): string {
  return createHash('sha256').update(normalise(text)).digest('hex').slice(0, 16)
}
