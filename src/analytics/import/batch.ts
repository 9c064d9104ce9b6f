// Turns lines into batches of page views that the service takes in one request, and counts the lines that are rejected
// locally.

import { ownVisitor } from './address/address-use.ts'
import { toText } from './bytes.ts'
import { findRequestReason } from '../collect/admit.ts'
import { type DropReason, maxUserAgentLength } from '../page-view.ts'
import { maxColumnViews } from './columns.ts'
import type { Line } from './lines.ts'
import { createTally, type Tally } from './tally.ts'
import { isRejected, type LineReason, type ParseLine, type WirePageView } from './wire-page-view.ts'

/** Lines per batch, even if all are rejected locally, so that progress is reported regularly. */
const maxBatchLines = 20_000
const maxBatchBytes = 4 * 1_048_576

export type Batch = {
  readonly views: WirePageView[]
  /** The line of each page view, for examples. */
  readonly lines: string[]
  /** The address of each page view. */
  readonly addresses: (string | undefined)[]
  readonly rejected: Tally
  /** The position in the log after this batch. */
  end: number
  /** The most that the views have as JSON, in bytes. */
  bytes: number
  count: number
}

export function emptyBatch(end: number): Batch {
  return { views: [], lines: [], addresses: [], rejected: createTally(), end, bytes: 0, count: 0 }
}

export function isFull(batch: Batch): boolean {
  return batch.views.length >= maxColumnViews || batch.count >= maxBatchLines
}

export type Reading = {
  readonly parse: ParseLine
  /** Call it for every line, in order. */
  readonly idOf: (line: Uint8Array) => string
}

/** false: the page view does not fit. Add it to the next batch, with the same `read`. */
export function addLine(batch: Batch, line: Line, read: ReadLine): boolean {
  if ('rejected' in read) batch.rejected.reject(read.rejected, read.text)
  else {
    const bytes = sizeOf(read.view)
    if (batch.bytes + bytes > maxBatchBytes && batch.views.length > 0) return false
    batch.views.push(read.view)
    batch.lines.push(read.text)
    batch.addresses.push(read.address)
    batch.bytes += bytes
  }
  batch.count += 1
  // A last line without a line break may be incomplete: the next import reads it again.
  if (line.kind !== 'open') batch.end = line.end
  return true
}

/** The most bytes of one UTF-16 unit as JSON: `\u0000`. */
const maxUnit = 6
/** Punctuation, the names of headers, and values that are not text. */
const maxRest = 200

function sizeOf(view: WirePageView): number {
  let units = 0
  for (const name in view) units += unitsOf(view[name as keyof WirePageView])
  return maxRest + units * maxUnit
}

/** The format `ndjson` passes on values of any type, and the service says that they are invalid. */
function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0
}

export type ReadLine =
  | { readonly view: WirePageView; readonly text: string; readonly address: string | undefined }
  | { readonly rejected: LineReason | DropReason; readonly text: string }

export function readLine({ parse, idOf }: Reading, line: Line): ReadLine {
  const text = toText(line.bytes)
  const id = idOf(line.bytes)
  if (line.kind === 'too_long') return { rejected: 'too_long', text }
  // A line that is still being written may lack digits after the user agent, and its id would change with them.
  if (line.kind === 'open' && !/["}\]]\s*$/.test(text)) return { rejected: 'incomplete', text }
  const parsed = parse(text)
  if (isRejected(parsed)) return { rejected: line.kind === 'open' ? 'incomplete' : parsed.rejected, text }
  const rejected = judge(parsed)
  if (rejected !== undefined) return { rejected, text }
  const address = parsed.visitorId === undefined ? parsed.address : ownVisitor
  return { view: parsed.id === undefined ? { ...parsed, id } : parsed, text, address }
}

/**
 * Most lines of a log are not pages, and are not sent. This applies the service's rules, except those that need the
 * project: a picture that is too old is rejected as a picture here. The service reports malformed page views.
 */
function judge({ url, path, method, status, userAgent }: WirePageView): DropReason | undefined {
  const place = typeof url === 'string' ? pathOf(url) : path
  if (typeof place !== 'string' || !['string', 'undefined'].includes(typeof method)) return undefined
  // Dot segments may change which page it is.
  if (/\/(?:\.|%2e)/i.test(place)) return undefined
  return findRequestReason({
    path: place,
    method: method?.toUpperCase(),
    status,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, maxUserAgentLength) : '',
  })
}

function pathOf(url: string): string | undefined {
  const slash = url.indexOf('/', url.indexOf('//') + 2)
  return slash < 0 ? undefined : url.slice(slash)
}
