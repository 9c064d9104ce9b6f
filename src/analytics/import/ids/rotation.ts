// Identical lines of one second that a rotation divided between two logs of one import are counted on in the second log.
// Without this, their numbers would begin again there, and page views would be missing.

import type { Hash } from './line-hash.ts'
import type { LineIds } from './line-id.ts'

type Timestamp = number | string

/** The end of a log. */
type End = {
  readonly second: number
  readonly firstLine: string
  readonly isOneLine: boolean
  /** How often the log, and those that it continues, have a line of that second. */
  readonly times: (hash: Hash) => number
}

/** One for the logs of an import together, which come in the order of their lines. */
export type Rotation = { end: End | undefined }

export type Continued = {
  /** How many lines like this one are in the logs that this log continues. */
  readonly carried: (hash: Hash, timestamp: Timestamp) => number
  /** True if the log could be taken for the one before it. */
  readonly looksAlike: boolean
}

type Log = {
  /** The hash of its first line. */
  readonly firstLine: string
  /** That of its first page view, if there is one among the first lines. */
  readonly timestamp: Timestamp | undefined
}

const alone: Continued = { carried: () => 0, looksAlike: false }

/**
 * A log that begins in the second in which the one before it ended continues it. If both begin with the same line, they are one
 * log, or copies: except after a log that is nothing but this line.
 */
export function continueRotation({ end }: Rotation, { firstLine, timestamp }: Log): Continued {
  const looksAlike = end?.firstLine === firstLine
  const isNext = end !== undefined && timestamp !== undefined && toSecond(timestamp) === end.second
  if (!isNext || (looksAlike && !end.isOneLine)) return alone
  return { carried: (hash, at) => (toSecond(at) === end.second ? end.times(hash) : 0), looksAlike }
}

/** `timestamp`: that of its last page view. */
export function endRotation(
  rotation: Rotation,
  { firstLine, timestamp }: Log,
  { ids, continued }: { readonly ids: LineIds; readonly continued: Continued },
): void {
  if (timestamp === undefined) return
  const times = (hash: Hash) => ids.times(hash) + continued.carried(hash, timestamp)
  rotation.end = { second: toSecond(timestamp), firstLine, isOneLine: ids.isOneLine(), times }
}

function toSecond(timestamp: Timestamp): number {
  return Math.floor((typeof timestamp === 'number' ? timestamp : Date.parse(timestamp)) / 1_000)
}
