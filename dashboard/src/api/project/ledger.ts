// The ledger of a project: which commits of the product are documented.

import { infiniteQueryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'
import type { AutomationRun } from './automations.ts'

export type Ledger = components['schemas']['Ledger']
export type LedgerEntry = Ledger['entries'][number]
export type LedgerState = LedgerEntry['state']

/**
 * Undefined: all. `source` as in the API: `.` is the repository of the project itself. `from` and `to`: only the changes of the source
 * after one commit, up to the other one.
 */
export type LedgerFilter = {
  readonly source?: string | undefined
  readonly state?: LedgerState | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const later = 15_000

/** The newest first. */
export const ledgerQuery = (projectId: string, filter: LedgerFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'ledger', filter],
    queryFn: ({ pageParam, signal }) => {
      const given = Object.entries({ ...filter, cursor: pageParam === '' ? undefined : pageParam })
      const query = Object.fromEntries(given.filter(([, value]) => value !== undefined))
      return ask((api) =>
        api.GET('/v1/projects/{projectId}/ledger', { params: { path: { projectId }, query }, signal }),
      )
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // The service reads the source for a range.
    refetchInterval: filter.from === undefined ? later : false,
  })

/** Starts a run for one commit. `key` makes sending it again harmless. */
export async function lookAtCommit(
  projectId: string,
  { source, commit }: Pick<LedgerEntry, 'commit' | 'source'>,
  key: string,
): Promise<AutomationRun> {
  const params = { path: { projectId }, header: { 'Idempotency-Key': key } }
  const body = { source: source ?? '.', to: commit }
  const run = await ask((api) => api.POST('/v1/projects/{projectId}/ledger/look', { params, body }))
  await queries.invalidateQueries({ queryKey: ['project', projectId, 'ledger'] })
  return run
}
