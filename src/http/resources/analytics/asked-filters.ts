// The filters of a request: its own, and those of the saved segments that it names.

import { bothFilters, type Filters } from '../../../analytics/counts/query/filters.ts'
import { filtersOfSegments, keysOfSegments, listSegments } from '../../../analytics/counts/query/segments.ts'
import type { AppContext, AppDeps } from '../../context.ts'
import { refuseFiltersOfShare } from './filters.ts'

/** `segment`: the ids or names of saved ones, whose filters are added. */
export type Asked = {
  readonly filters?: Filters | undefined
  readonly segment?: readonly string[] | undefined
}

export type Resolved = {
  readonly filters: Filters
  /** The keys of all saved ones; nothing without filters. */
  readonly segments: ReadonlySet<string>
}

/** Throws `invalid_input` for an unknown segment, and `forbidden` for what shared links may not ask. */
export async function resolveFilters(
  c: AppContext,
  db: AppDeps['analytics']['db'],
  { filters: own = [], segment = [] }: Asked,
): Promise<Resolved> {
  if (segment.length === 0 && own.length === 0) return { filters: [], segments: new Set() }
  const saved = await listSegments(db, c.get('projectId'))
  const filters = bothFilters(own, filtersOfSegments(saved, segment))
  if (c.get('principal').kind === 'share') refuseFiltersOfShare(filters)
  return { filters, segments: keysOfSegments(saved) }
}
