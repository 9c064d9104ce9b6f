// The rows of the job list: the pages that were read, and the first page as it is now. Pure.

import type { ListedJob } from '../../api/jobs.ts'

/**
 * The newest jobs replace what was read of them before. Undefined: there is a gap between the two, because more jobs
 * came at once than a page holds, and the pages have to be read again.
 */
export function mergeJobs(
  read: readonly ListedJob[],
  newest: readonly ListedJob[],
  isComplete: boolean,
): readonly ListedJob[] | undefined {
  const oldest = newest.at(-1)
  if (oldest === undefined || isComplete) return newest
  const place = read.findIndex(({ id }) => id === oldest.id)
  return place === -1 ? undefined : [...newest, ...read.slice(place + 1)]
}
