// Opens the engines in the data directory and at the configured addresses: database, git, page views. Knows no feature:
// app.ts and work.ts pass the engines to the features.

import { createFactsReader, type FactsReader } from '../checks/facts/reader.ts'
import { join } from 'node:path'
import { type CountryOf, openCountries } from '../analytics/dimensions/country.ts'
import { loadRanges, toRangesFolder } from '../analytics/classify/verify/load-ranges.ts'
import { createVerify, type Verify } from '../analytics/classify/verify/verify.ts'
import { type LazyClickHouse, openLazily } from '../clickhouse/lazy.ts'
import type { Config } from '../config/config.ts'
import { openGit } from '../git/git.ts'
import type { Git } from '../git/types.ts'
import { createEventFeed, type EventFeed } from '../jobs/events/feed.ts'
import { readDeliveries } from '../notifications/deliveries/queue.ts'
import { readQueue } from '../jobs/queue/depth.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { DirectoryLock } from '../lib/directory-lock.ts'
import { sharesOf, type MemoryShares } from '../lib/memory/budget.ts'
import { limitYoungGeneration } from '../lib/memory/young-generation.ts'
import { createMemoryWatch, type MemoryWatch } from '../lib/memory/watch.ts'
import { createDiskWatch, type DiskWatch } from '../lib/observability/disk-watch.ts'
import { createLog, type Log } from '../lib/observability/log.ts'
import { createMetrics, type Metrics } from '../lib/observability/metrics.ts'
import { createProcessRedactor, type Redactor } from '../lib/outbound/redactor.ts'
import { openPostgres, type PostgresPlace } from '../postgres/open.ts'
import type { Postgres } from '../postgres/types.ts'
import { signForProject } from '../projects/signing-keys.ts'
import { keyFileName } from '../secrets/key-file.ts'
import { openSecrets, type SecretStore } from '../secrets/open.ts'
import { createTimeGuard, type TimeGuard } from '../time-guard/time-guard.ts'
import { holdDirectory } from './data-directory.ts'
import { type Forges, openForges } from './forges.ts'
import { storePlace } from './page-view-store.ts'

export type Engines = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly clock: Clock
  readonly timeGuard: TimeGuard
  readonly disk: DiskWatch
  readonly memory: { readonly shares: MemoryShares; readonly watch: MemoryWatch }
  readonly postgres: Postgres
  readonly git: Git
  readonly secrets: SecretStore
  readonly redactor: Redactor
  readonly forges: Forges
  readonly events: EventFeed
  /** The store of page views. */
  readonly pageViews: LazyClickHouse
  /** Reads what the files of all sites say. */
  readonly facts: FactsReader
  readonly verify: Verify
  readonly countryOf: CountryOf
  close(): Promise<void>
}

/** Opens the engines of the data directory, which `lock` holds until they are closed. */
export async function openEngines(config: Config, lock: DirectoryLock = holdDirectory(config)): Promise<Engines> {
  const redactor = createProcessRedactor()
  redactor.learn(...config.secretTexts)
  const log = createLog(config.logLevel, redactor.redact)
  try {
    const postgres = await openPostgres(databasePlace(config, log))
    return await openOn(postgres, { config, log, lock, redactor }).catch(async (error: unknown) => {
      await postgres.close()
      throw error
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

type Opening = { readonly config: Config; readonly log: Log; readonly lock: DirectoryLock; readonly redactor: Redactor }

async function openOn(postgres: Postgres, { config, log, lock, redactor }: Opening): Promise<Engines> {
  const clock = systemClock
  const { db } = postgres
  const secrets = learnSecrets(await openSecrets(secretsPlace(config, postgres, log)), redactor)
  const timeGuard = createTimeGuard({ postgres, clock, log })
  const forges = openForges({ config, db, secrets, clock, report: timeGuard.reportDate, learn: redactor.learn })
  const git = await openGit({
    ...gitOptions(config, log),
    credentialOf: (ask, signal) => forges.connections.credentialOf(ask, signal),
    signatureOf: (projectId, content) => signForProject({ db, secrets }, projectId, content),
    dateReport: timeGuard.dateReport,
  })
  const events = createEventFeed({ postgres, clock })
  const shares = sharesOf(config.memory)
  const unlimitYoung = limitYoungGeneration(shares.young)
  const memory = { shares, watch: createMemoryWatch({ total: shares.total, log }) }
  const pageViews = openLazily(storePlace(config), log, { memory: shares })
  const verify = createVerify(await loadRanges(toRangesFolder(config.dataDir)))
  const countryOf = await openCountries(config.country.database)
  const facts = createFactsReader()
  const close = async () => {
    unlimitYoung()
    await facts.close()
    await events.close()
    await pageViews.close()
    await git.close()
    await postgres.close()
    lock.release()
  }
  const metrics = createMetrics({ ofProcess: true })
  metrics.observeQueue(() => readQueue(db))
  metrics.observeDeliveries(() => readDeliveries(db))
  metrics.observePageViewLog(() => pageViews.waiting())
  const disk = createDiskWatch({ folder: config.dataDir, log })
  metrics.observeDisk(() => disk.look())
  metrics.observeMemory(() => memory.watch.look())
  metrics.observeClock(() => timeGuard.state().kind === 'trusted')
  return {
    config,
    log,
    metrics,
    clock,
    timeGuard,
    disk,
    memory,
    postgres,
    git,
    secrets,
    redactor,
    forges,
    events,
    pageViews,
    facts,
    verify,
    countryOf,
    close,
  }
}

/** The redactor knows every secret that this process stores or reads. */
function learnSecrets(store: SecretStore, { learn }: Redactor): SecretStore {
  return {
    ...store,
    encrypt: (owner, purpose, text) => {
      learn(text)
      return store.encrypt(owner, purpose, text)
    },
    decrypt: (owner, purpose, value) => {
      const text = store.decrypt(owner, purpose, value)
      learn(text)
      return text
    },
  }
}

export function databasePlace({ database, dataDir }: Config, log: Log): PostgresPlace {
  if (database.url === undefined) return { kind: 'embedded', directory: join(dataDir, 'postgres') }
  return { kind: 'server', url: database.url, connections: database.connections, log }
}

export function secretsPlace(config: Config, { db }: Postgres, log: Log): Parameters<typeof openSecrets>[0] {
  return { db, setting: config.secretKey, keyFile: join(config.dataDir, keyFileName), log }
}

export function gitOptions(config: Config, log: Log): Parameters<typeof openGit>[0] {
  return {
    directory: join(config.dataDir, 'mirrors'),
    allowLocal: config.repositories.allowLocal,
    privateHosts: config.repositories.privateHosts,
    maxRepositoryBytes: config.repositories.maxBytes,
    maxRepositoryFiles: config.repositories.maxFiles,
    maxFileBytes: 10 * 1024 * 1024,
    timeoutMs: 300_000,
    identity: config.commitIdentity,
    log,
  }
}
