// Turns lines into batches of page views that the service takes in one request, and counts the lines that are rejected
// locally.

import { findRequestReason } from '../collect/admit.ts'
import type { DropReason } from '../page-view.ts'
import type { Line } from './lines.ts'
import { createTally, type Tally } from './tally.ts'
import { isRejected, type LineReason, type ParseLine, type WirePageView } from './wire-page-view.ts'

export const maxBatchViews = 1_000
/** Half of what a log of assets alone could fill; its counts are told now and then. */
const maxBatchLines = 20_000
const maxBatchBytes = 4 * 1_048_576

export type Batch = {
  /** JSON objects. */
  readonly views: string[]
  /** The line of each view, for an example. */
  readonly lines: string[]
  readonly rejected: Tally
  /** Where the log goes on behind it. */
  end: number
  bytes: number
  count: number
}

export function emptyBatch(end: number): Batch {
  return { views: [], lines: [], rejected: createTally(), end, bytes: 0, count: 0 }
}

export function isFull(batch: Batch): boolean {
  return batch.views.length >= maxBatchViews || batch.count >= maxBatchLines
}

export type Reading = {
  readonly parse: ParseLine
  /** Must be asked for every line in order. */
  readonly idOf: (line: Uint8Array) => string
}

/** false: the view does not fit; it is to be added to the next batch with the same `read`. */
export function addLine(batch: Batch, line: Line, read: ReadLine): boolean {
  if ('rejected' in read) batch.rejected.reject(read.rejected, read.text)
  else {
    if (batch.bytes + read.view.length * maxUtf8 > maxBatchBytes && batch.views.length > 0) return false
    batch.views.push(read.view)
    batch.lines.push(read.text)
    batch.bytes += read.view.length * maxUtf8
  }
  batch.count += 1
  // The end of a last line without a line break may not be there yet: the next import reads it again.
  if (line.kind !== 'open') batch.end = line.end
  return true
}

/** Bytes of a UTF-16 unit in UTF-8, at most. */
const maxUtf8 = 3

export type ReadLine =
  | { readonly view: string; readonly text: string }
  | { readonly rejected: LineReason | DropReason; readonly text: string }

export function readLine({ parse, idOf }: Reading, line: Line): ReadLine {
  const text = line.bytes.toString('utf8')
  const id = idOf(line.bytes)
  if (line.kind === 'too_long') return { rejected: 'too_long', text }
  // Of fields behind the user agent a line that is still written may lack digits: its own name would change with them.
  if (line.kind === 'open' && !/["}\]]\s*$/.test(text)) return { rejected: 'incomplete', text }
  const parsed = parse(text)
  if (isRejected(parsed)) return { rejected: line.kind === 'open' ? 'incomplete' : parsed.rejected, text }
  const rejected = judge(parsed)
  if (rejected !== undefined) return { rejected, text }
  return { view: JSON.stringify(parsed.id === undefined ? { id, ...parsed } : parsed), text }
}

/**
 * Most lines of a log are no pages: they are not sent. By the rule of the service, but for what the project alone
 * knows: a picture that is too old is called a picture here. Of what is malformed the service tells.
 */
function judge({ url, path, method, status }: WirePageView): DropReason | undefined {
  const place = typeof url === 'string' ? pathOf(url) : path
  if (typeof place !== 'string' || !['string', 'undefined'].includes(typeof method)) return undefined
  // Dot segments may lead elsewhere.
  if (/\/(?:\.|%2e)/i.test(place)) return undefined
  return findRequestReason({ path: place, method: method?.toUpperCase(), status })
}

function pathOf(url: string): string | undefined {
  const slash = url.indexOf('/', url.indexOf('//') + 2)
  return slash < 0 ? undefined : url.slice(slash)
}
