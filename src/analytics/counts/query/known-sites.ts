// Whether the sites that filters name are sites of the project. An id that was copied wrong would count nothing, and the answer
// would not say why.

import type { ClickHouse } from '../../../clickhouse/open.ts'
import { invalidInput } from '../../../lib/failure.ts'
import type { Db } from '../../../postgres/types.ts'
import { unknownValue } from '../../dimensions/view-dimensions.ts'
import type { Filters } from './filters.ts'
import type { Plan } from './plan.ts'

type Question = {
  readonly store: ClickHouse
  readonly plan: Pick<Plan, 'projectId' | 'filters'>
  /** Where the request has the filter. */
  readonly pointer?: string
}

/** Page views of a deleted site stay, and so does its filter. Throws `invalid_input`. */
export async function refuseUnknownSites(db: Db, question: Question, signal?: AbortSignal): Promise<void> {
  const { store, plan, pointer = '#/query/site' } = question
  const { projectId } = plan
  const asked = sitesIn(plan.filters)
  if (asked.length === 0) return
  const query = db.selectFrom('sites').select('id').where('project_id', '=', projectId).where('id', 'in', asked)
  const known = new Set((await query.execute()).map(({ id }) => id))
  const others = asked.filter((id) => !known.has(id))
  if (others.length === 0) return
  const stored = await store.read<{ id: string }>(
    `/* analytics.sites_of_views */ SELECT DISTINCT site_id AS id FROM page_views
      WHERE project_id = {projectId:String} AND site_id IN {sites:Array(String)} LIMIT ${others.length}`,
    { projectId, sites: others },
    signal,
  )
  if (stored.length === others.length) return
  throw invalidInput(pointer, 'must be a site of the project, or one that page views came through')
}

function sitesIn(filters: Filters): readonly string[] {
  const values = filters.flatMap(({ name, any, not }) => (name === 'site' ? [...any, ...not] : []))
  return [...new Set(values)].filter((id) => id !== unknownValue)
}
