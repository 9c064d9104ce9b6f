// Maps errors of the store, which are ClickHouse's numbers or socket errors, to failures.

import { Failure } from '../lib/failure.ts'

/** 159 TIMEOUT_EXCEEDED, 241 MEMORY_LIMIT_EXCEEDED: one query met the limits that the service sets. */
const tooLarge: readonly string[] = ['159', '241']
/** Faults of the service: a wrong statement, or a missing table. Every other code counts as an outage of the store. */
const faults: readonly string[] = ['27', '36', '43', '46', '47', '53', '60', '62', '117']

/** Throws `question_too_large`, `unavailable`, or the error itself when it is a fault of the service. */
export function throwStoreFailure(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  const code = codeOf(cause)
  if (faults.includes(code)) throw cause
  if (code === '241' && isShared(cause)) {
    throw new Failure('unavailable', 'Other queries need the memory now.', { cause, retryAfter: 5 })
  }
  if (tooLarge.includes(code)) {
    const message = 'The query takes too much time or memory. Ask for fewer days.'
    throw new Failure('question_too_large', message, { cause })
  }
  throw new Failure('unavailable', 'The store of page views does not respond.', { cause, retryAfter: 5 })
}

/** Together with others it met the limit of the store: not of the query, but of its user or of all of them. */
function isShared(cause: unknown): boolean {
  return cause instanceof Error && /\b(?:User|Total|total)\)? memory limit exceeded/.test(cause.message)
}

/** Checks the shape, not the class: the embedded engine has its own copy of the class. */
function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
