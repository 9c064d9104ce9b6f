// What the store's errors mean for the one who waits: numbers of ClickHouse, phrases of sockets.

import { ClickHouseError } from '@clickhouse/client'
import { Failure } from '../lib/failure.ts'

/** 159 TIMEOUT_EXCEEDED, 241 MEMORY_LIMIT_EXCEEDED: of one query, by the limits that we set. */
const tooLarge: readonly string[] = ['159', '241']
/** Ours: a statement that is wrong, or a table that is not there. All else is taken for the state of the store. */
const ours: readonly string[] = ['27', '36', '43', '46', '47', '53', '60', '62', '117']

/** Throws it as a Failure. */
export function toFailure(cause: unknown): never {
  if (cause instanceof Failure) throw cause
  const code = cause instanceof ClickHouseError ? cause.code : ''
  if (ours.includes(code)) throw cause
  if (tooLarge.includes(code)) {
    const message = 'The question takes too much time or memory: ask for fewer days.'
    throw new Failure('question_too_large', message, { cause })
  }
  throw new Failure('unavailable', 'The store of page views does not answer.', { cause, retryAfter: 5 })
}
