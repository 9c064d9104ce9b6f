// Collects page views in batches that the service takes in one request, and counts the lines that are rejected locally.

import { maxColumnViews } from './columns.ts'
import type { Line } from './lines.ts'
import { createTally, type Tally } from './tally.ts'
import type { ReadLine } from './read-line.ts'
import type { WirePageView } from './wire-page-view.ts'

/** Lines per batch, even if all are rejected locally, so that progress is reported regularly. */
const maxBatchLines = 20_000
const maxBatchBytes = 4 * 1_048_576

export type Batch = {
  readonly views: WirePageView[]
  /** The line of each page view, for examples. */
  readonly lines: string[]
  /** The address of each page view. */
  readonly addresses: (string | undefined)[]
  /** The address one hop further of each page view, if it was looked for. */
  readonly beyond: (string | undefined)[]
  readonly rejected: Tally
  /** The position in the log after this batch. */
  end: number
  /** The most that the views have as JSON, in bytes. */
  bytes: number
  count: number
}

export function emptyBatch(end: number): Batch {
  return { views: [], lines: [], addresses: [], beyond: [], rejected: createTally(), end, bytes: 0, count: 0 }
}

export function isFull(batch: Batch): boolean {
  return batch.views.length >= maxColumnViews || batch.count >= maxBatchLines
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
    batch.beyond.push(read.beyond)
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
