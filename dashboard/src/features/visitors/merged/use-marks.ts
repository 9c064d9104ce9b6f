// The merged pull requests of a range as marks of its series. Shared links show no jobs: they have no marks.

import { useQuery } from '@tanstack/react-query'
import { mergedPullsQuery } from '../../../api/pulls.ts'
import type { Asked, Timeseries } from '../../../api/visitors.ts'
import { type MergedMark, marksOf } from './marks.ts'

export function useMergedMarks(
  { reader: { projectId, token }, range }: Asked,
  points: Timeseries,
  timeZone: string,
): readonly MergedMark[] {
  const merged = useQuery({ ...mergedPullsQuery(projectId, range), enabled: token === undefined })
  const dates = points.map(({ date }) => date)
  return marksOf(merged.data ?? [], dates, timeZone)
}
