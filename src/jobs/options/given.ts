// The failing pages that a run was given, as the run stores them. Pure.

import type { GivenPage } from './readings.ts'

/** `stored` null: it was given no page. */
export function parseGiven(stored: string | null): readonly GivenPage[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly GivenPage[])
}
