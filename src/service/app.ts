// Assembles the HTTP app: passes the engines to the features that handle requests.

import { createIngest } from '../analytics/collect/ingest.ts'
import { refuseMergingReaders } from '../automations/outsiders.ts'
import type { Waiting } from '../clickhouse/log/log.ts'
import type { ClickHouse } from '../clickhouse/open.ts'
import { branchProblem } from '../git/write/refname.ts'
import { type App, createApp } from '../http/app.ts'
import type { AppDeps } from '../http/context.ts'
import { createSessionRecognition } from '../people/sessions.ts'
import { createPreviews } from '../preview/previews.ts'
import { mailProblem } from '../notifications/mail/settings.ts'
import { pageProblem } from '../projects/groups/page-addresses.ts'
import { createRecognition } from '../projects/recognise.ts'
import { explainModel } from '../models/settings.ts'
import { modelsOf } from './models.ts'
import type { Engines } from './engines.ts'
import { createUnusedForwards } from '../http/request/address/unused-forwards.ts'
import { createLocalOperations } from './local-operations.ts'
import { version } from './version.ts'
import { createPolicyQuestions } from '../jobs/policy/ask/ask.ts'
import { createTextChecks } from '../jobs/review/check-texts.ts'
import { createBehindReader } from '../jobs/pulls/behind.ts'
import { pullJobs } from '../jobs/pulls/pull-jobs.ts'
import type { PullNowContext } from '../jobs/pulls/show.ts'

/** Builds the app on these engines. `publicUrl` has no trailing slash. */
export function buildApp(engines: Engines, publicUrl: string, dashboard?: string): App {
  const { config, log, metrics, clock, timeGuard, postgres, git, secrets, forges, redactor } = engines
  const { db } = postgres
  const { privateHosts } = config.repositories
  const models = modelsOf(engines)
  const unusedForwards = createUnusedForwards({ log, clock })
  const analytics = { db, openStore: () => openStore(engines), clock, log }
  return createApp({
    jobs: { db, clock, git, modelId: config.model.id, publicUrl, previews: createPreviews() },
    policy: createPolicyQuestions({ db, git }),
    events: engines.events,
    projects: {
      db,
      checkAddress: (address) => git.checkAddress(address),
      branchProblem,
      modelProblem: (model) => explainModel(models, model),
      pageProblem: (address, isPrefix) => pageProblem(address, isPrefix, privateHosts),
      identity: git.identity,
    },
    access: {
      db,
      secrets,
      connections: forges.connections,
      git,
      clock,
      privateHosts: privateHosts,
    },
    affected: { db, git, facts: engines.facts },
    checkTexts: createTextChecks({ db, git, facts: engines.facts }),
    sources: { db, git, branchProblem, checkAddress: (address) => git.checkAddress(address), refuseMergingReaders },
    forgeApps: forgeAppsOf(engines, publicUrl),
    models,
    pulls: pullsOf(engines, publicUrl),
    analytics,
    mailProblem: mailProblem(config.mail),
    ingest: createIngest(analytics, engines),
    identify: createRecognition(db, redactor.learn),
    redactor,
    identifySession: createSessionRecognition(db),
    allowHttpSignIn: config.allowHttpSignIn,
    dashboard,
    ready: () => askStores(engines),
    diskState: () => engines.disk.look(),
    clockState: () => timeGuard.state(),
    limits: config.limits,
    trustedProxies: config.trustedProxies,
    countryHeader: config.country.header,
    unusedForwards,
    publicUrl,
    version,
    log,
    metrics,
    local: createLocalOperations({ ...engines, unusedForwards, version, publicUrl }),
  })
}

/** Throws `unavailable` while memory is short. */
async function openStore({ memory, pageViews }: Engines): Promise<ClickHouse> {
  memory.watch.refuse()
  return pageViews.open()
}

function forgeAppsOf(
  { postgres: { db }, secrets, clock, git, forges }: Engines,
  publicUrl: string,
): AppDeps['forgeApps'] {
  const checkAddress = (address: string) => git.checkAddress(address)
  return { db, secrets, clock, publicUrl, checkAddress, openClient: forges.openGitHub }
}

function pullsOf({ postgres: { db }, git, clock, log, forges }: Engines, publicUrl: string): PullNowContext {
  return {
    db,
    git,
    jobs: pullJobs,
    publicUrl,
    clock,
    hostOf: async (projectId, signal) => (await forges.connections.of(projectId, signal)).host,
    behind: createBehindReader({ clock, log }),
  }
}

async function askStores({ postgres, pageViews }: Engines): Promise<Waiting> {
  await postgres.db.selectFrom('projects').select('id').limit(1).execute()
  const store = await pageViews.openIfThere()
  await store?.ping()
  return pageViews.waiting()
}
