// What the store's errors mean for the one who waits: numbers of ClickHouse, phrases of sockets.

import { Failure } from '../lib/failure.ts'

/** 159 TIMEOUT_EXCEEDED, 241 MEMORY_LIMIT_EXCEEDED: of one query, by the limits that we set. */
const tooLarge: readonly string[] = ['159', '241']
/** Ours: a statement that is wrong, or a table that is not there. All else is taken for the state of the store. */
const ours: readonly string[] = ['27', '36', '43', '46', '47', '53', '60', '62', '117']

/** Throws it as a Failure. */
export function toFailure(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  const code = codeOf(cause)
  if (ours.includes(code)) throw cause
  if (tooLarge.includes(code)) {
    const message = 'The question takes too much time or memory: ask for fewer days.'
    throw new Failure('question_too_large', message, { cause })
  }
  throw new Failure('unavailable', 'The store of page views does not answer.', { cause, retryAfter: 5 })
}

/** By its shape: the embedded engine brings the class of the error along in a copy of its own. */
function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
