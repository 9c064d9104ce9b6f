// Connects the runs with the engines: the forges of the projects, the models, the tools.

import { createPageViewReader } from '../analytics/pages-for-runs.ts'
import { openConfigured } from '../models/settings.ts'
import { modelsOf } from './models.ts'
import { createTools } from '../agent/tools/all.ts'
import { createHostedForge, type HostOf } from '../forge/hosted.ts'
import { createOwnForge } from '../forge/own/forge.ts'
import { createForge } from '../forge/routing.ts'
import { createTurns } from '../forge/turns.ts'
import { createSyntaxThreads } from '../jobs/policy/content/read/threads.ts'
import { pullJobs } from '../jobs/pulls/pull-jobs.ts'
import type { RunDeps } from '../jobs/run/context.ts'
import { getProject } from '../projects/projects.ts'
import { requireAccess } from '../projects/access/access.ts'
import { explainRefusal } from '../projects/access/refusals.ts'
import type { Engines } from './engines.ts'

type Given = { readonly reached: RunDeps['reached'] | undefined }

export function createRunDeps(engines: Engines, { reached }: Given): RunDeps {
  const { config, clock, log, metrics, postgres, git, secrets, forges, redactor } = engines
  const { db } = postgres
  const { connections } = forges
  const hostOf: HostOf = async (projectId, signal) => (await connections.of(projectId, signal)).host
  const access = { db, secrets, connections, git, clock }
  const models = modelsOf(engines)
  const own = createOwnForge({ db, git, jobs: pullJobs, publicUrl: '' })
  const hosted = createHostedForge({ db, clock, hostOf, turns: createTurns(postgres.hold), log })
  return {
    db,
    git,
    forge: createForge({ own, hosted, hostOf }),
    hostOf,
    requireAccess: (projectId, signal) => requireAccess(access, projectId, signal),
    explainRefusal: (projectId, error, signal) => explainRefusal(access, projectId, error, signal),
    publicUrl: config.publicUrl,
    openModel: (id) => openConfigured(models, id),
    modelId: config.model.id,
    tools: createTools(),
    pageViews: createPageViewReader({
      settingsOf: (projectId) => getProject(db, projectId),
      openIfThere: engines.pageViews.openIfThere,
      clock,
    }),
    pages: { privateHosts: config.repositories.privateHosts },
    readSyntax: createSyntaxThreads().read,
    redactor,
    nonceOf: (runId) => secrets.derive(runId, 'notices'),
    budget: config.budget,
    facts: engines.facts,
    clock,
    log,
    metrics,
    reached: reached ?? (() => Promise.resolve()),
  }
}
