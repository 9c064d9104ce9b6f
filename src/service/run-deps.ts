// Connects the runs with the engines: the forges of the projects, the models, the tools.

import { openModel } from '../agent/model/providers.ts'
import { createTools } from '../agent/tools/all.ts'
import { createHostedForge, type HostOf } from '../forge/hosted.ts'
import { createOwnForge } from '../forge/own/forge.ts'
import { createForge } from '../forge/routing.ts'
import { pullJobs } from '../jobs/pull-jobs.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { requireAccess } from '../projects/access/access.ts'
import type { Engines } from './engines.ts'

export function createRunDeps(engines: Engines, reached: RunDeps['reached'] | undefined): RunDeps {
  const { config, clock, timeGuard, log, metrics, postgres, git, secrets, forges } = engines
  const { db } = postgres
  const { connections } = forges
  const hostOf: HostOf = async (projectId, signal) => (await connections.of(projectId, signal)).host
  const own = createOwnForge({ db, git, jobs: pullJobs, publicUrl: '' })
  const hosted = createHostedForge({ db, clock, hostOf, log })
  return {
    db,
    git,
    forge: createForge({ own, hosted, hostOf }),
    hostOf,
    requireAccess: (projectId, signal) => requireAccess({ db, secrets, connections, git }, projectId, signal),
    publicUrl: config.publicUrl,
    openModel: (id) => openModel(id, config.model, clock, timeGuard.reportDate),
    modelId: config.model.id,
    tools: createTools(),
    budget: config.budget,
    clock,
    metrics,
    reached: reached ?? (() => Promise.resolve()),
  }
}
