// The code that the platform gives an error, such as `ENOENT`. The one place that reads it: a `Failure` has a `code`
// of its own, which means something else.

import { Failure } from './failure.ts'

/** Returns a code such as `EADDRINUSE` or `ENOENT`; undefined for an error without a code, and for a `Failure`. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof Failure || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
