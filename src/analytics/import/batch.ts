// Collects page views in batches that the service takes in one request, and counts the lines that are rejected locally.

import { maxColumnViews } from './columns/columns.ts'
import { type ColumnsWriter, createColumns } from './columns/write-columns.ts'
import type { Line } from './lines.ts'
import { createTally, type Tally } from './tally.ts'
import type { ReadLine } from './read-line.ts'

/** Lines per batch, even if all are rejected locally, so that progress is reported regularly. */
const maxBatchLines = 20_000
/**
 * UTF-16 units of text after which no page view is added; the last one may have as many as a line. A unit has up to six bytes as
 * JSON and three as UTF-8: less than the 5 MiB of a body and the 2 MiB of the texts of its rows.
 */
const maxBatchUnits = 600_000

export type Batch = {
  readonly views: ColumnsWriter
  /** The line of each page view, for examples. */
  readonly lines: string[]
  /** The address one hop further of each page view, if it was looked for. */
  readonly beyond: (string | undefined)[]
  readonly rejected: Tally
  /** The position in the log after this batch. */
  end: number
  count: number
}

export function emptyBatch(end: number): Batch {
  return { views: createColumns(), lines: [], beyond: [], rejected: createTally(), end, count: 0 }
}

export function isFull({ views, count }: Batch): boolean {
  return views.rows() >= maxColumnViews || views.units() >= maxBatchUnits || count >= maxBatchLines
}

export function addLine(batch: Batch, line: Line, read: ReadLine): void {
  if ('rejected' in read) batch.rejected.reject(read.rejected, read.text)
  else {
    batch.views.add(read.view, read.lineId)
    batch.lines.push(read.text)
    batch.beyond.push(read.beyond)
  }
  batch.count += 1
  // A last line without a line break may be incomplete: the next import reads it again.
  if (line.kind !== 'open') batch.end = line.end
}
