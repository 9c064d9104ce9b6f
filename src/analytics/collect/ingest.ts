// Collecting, put together: what a process that answers requests needs of it.

import type { Metrics } from '../../lib/metrics.ts'
import { createClassify } from '../classify/cached.ts'
import type { Verify } from '../classify/verify/verify.ts'
import { type Collect, createCollect } from './collect.ts'
import { type CollectingProjects, createCollectingProjects } from './projects.ts'
import type { AnalyticsContext } from '../context.ts'
import { createGroupCommit } from './group-commit.ts'
import { createIdentify } from './identify.ts'
import { createPathCap } from './path-cap.ts'

export type Collecting = { readonly collect: Collect; readonly projects: CollectingProjects }

type Parts = { readonly metrics: Pick<Metrics, 'pageViews' | 'stored'>; readonly verify: Verify }

/** Opens nothing. */
export function createCollecting(context: AnalyticsContext, { metrics, verify }: Parts): Collecting {
  const { openStore, clock } = context
  const commit = createGroupCommit({
    openStore,
    pathCap: createPathCap(clock),
    stored: (seen) => metrics.stored(seen),
  })
  const collect = createCollect({
    clock,
    classify: createClassify(),
    identify: createIdentify(context),
    verify,
    commit,
    seen: (source, outcome, views) => metrics.pageViews({ source, outcome, views }),
  })
  return { collect, projects: createCollectingProjects(context) }
}
