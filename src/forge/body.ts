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

/** GitHub takes 65,536 characters; GitLab and Gitea take more, Bitbucket less. */
export const maxBodyCharacters = 60_000
const maxNoteCharacters = 15_000
/** Longer than any facts, whose lists have limits: a cut could open a mention that was code. */
const maxFactsCharacters = 21_000

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

/** `most`: what the host takes, in characters. */
export function composeBody(parts: BodyParts, most = maxBodyCharacters): string {
  const added = Object.values(blocksOf(parts, '')).join('').length
  const text = normalise(shorten(hideMarkers(parts.text), Math.min(most, maxBodyCharacters) - added - 200))
  return join(text, '', blocksOf(parts, digestOf(text)))
}

/**
 * Returns the body with today's note and facts. Replaces the text too, unless a person has edited it since the service
 * wrote it. Whatever people wrote around the markers stays.
 */
export function updateBody(existing: string, parts: BodyParts, most = maxBodyCharacters): string {
  const body = normalise(existing)
  const block = factsPattern.exec(body)
  const [before = '', after = ''] = block
    ? [body.slice(0, block.index), body.slice(block.index + block[0].length)]
    : [body]
  const text = normalise(before.replace(notePattern, '').replace(leadPattern, ''))
  const others = normalise(after)
  if (block?.[1] !== undefined && block[1] === digestOf(text)) {
    const composed = composeBody(parts, most)
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
const factsPattern = /<!-- docent:facts ([0-9a-z]*) -->[^]*?<!-- \/docent:facts -->/

function jobMarker(jobId: string): string {
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
