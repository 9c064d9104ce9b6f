// Puts the stages of collecting together, for a process that serves requests.

import type { MemoryShares } from '../../lib/memory/budget.ts'
import type { MemoryWatch } from '../../lib/memory/watch.ts'
import type { Metrics } from '../../lib/observability/metrics.ts'
import { createClassify } from '../classify/cached.ts'
import type { Verify } from '../classify/verify/verify.ts'
import { type Collect, createCollect } from './collect.ts'
import { createProjectLookup, type ProjectLookup } from './projects.ts'
import type { AnalyticsContext } from '../context.ts'
import { createGroupCommit } from './group-commit.ts'
import { createIdentify } from './identify.ts'
import type { CountryOf } from '../dimensions/country.ts'
import { createValueCap } from './value-cap.ts'
import { createStoredIds } from './ids/stored-ids.ts'

export type Ingest = ProjectLookup & { readonly collect: Collect; readonly checkRoom: () => void }

type Parts = {
  readonly metrics: Pick<Metrics, 'pageViews' | 'stored'>
  readonly verify: Verify
  readonly countryOf: CountryOf
  readonly memory: { readonly shares: MemoryShares; readonly watch: Pick<MemoryWatch, 'refuse'> }
}

/** Opens nothing. */
export function createIngest(context: AnalyticsContext, { metrics, verify, countryOf, memory }: Parts): Ingest {
  const { openStore, clock, log } = context
  const commit = createGroupCommit({
    openStore,
    valueCap: createValueCap(clock),
    storedIds: createStoredIds((error) => log?.warn({ err: error }, 'the ids of page views were not read')),
    stored: (seen) => metrics.stored(seen),
    maxWaiting: memory.shares.waiting,
  })
  const collect = createCollect({
    clock,
    classify: createClassify(),
    identify: createIdentify(context),
    verify,
    countryOf,
    commit,
    countViews: (source, outcome, views) => metrics.pageViews({ source, outcome, views }),
  })
  const checkRoom = () => {
    memory.watch.refuse()
    commit.checkRoom()
  }
  return { collect, checkRoom, ...createProjectLookup(context) }
}
