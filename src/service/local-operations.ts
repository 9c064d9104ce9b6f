// Operations for the command line on the same machine: status, accepting the clock, rotating keys, and backups.

import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freezeStore } from '../clickhouse/freeze.ts'
import type { LazyClickHouse } from '../clickhouse/lazy.ts'
import type { Config } from '../config/config.ts'
import type { LocalOperations } from '../http/context.ts'
import type { UnusedForwards } from '../http/request/address/unused-forwards.ts'
import { Failure } from '../lib/failure.ts'
import { createLine } from '../lib/few-at-once.ts'
import { recordChange } from '../people/audit.ts'
import { createSignInLink } from '../people/links.ts'
import { createSetupLink, noSetup } from '../people/setup.ts'
import { operator } from '../projects/keys.ts'
import { createBackup } from './backup.ts'
import { storePlace } from './page-view-store.ts'
import { findProcesses } from './processes/processes.ts'
import { appliedMigrations } from '../postgres/migrate.ts'
import type { Postgres } from '../postgres/types.ts'
import type { SecretStore } from '../secrets/open.ts'
import type { TimeGuard } from '../time-guard/time-guard.ts'

type Deps = {
  readonly config: Config
  readonly postgres: Postgres
  readonly pageViews: LazyClickHouse
  readonly timeGuard: Pick<TimeGuard, 'accept'>
  readonly secrets: SecretStore
  readonly unusedForwards: Pick<UnusedForwards, 'counts'>
  readonly version: string
  /** Without a trailing slash. */
  readonly publicUrl: string
}

export function createLocalOperations(deps: Deps): LocalOperations {
  const { config, postgres, timeGuard, secrets, unusedForwards, version, publicUrl } = deps
  const state = { isBusy: false }
  // Two at once could each add a new key to the file.
  const rotateAlone = createLine({ atOnce: 1, waiting: 0, full: () => inProgress('rotation') })
  const embedded = config.database.url === undefined ? postgres : undefined
  return {
    status: async () => ({
      version,
      schema: await appliedMigrations(postgres.db),
      database: config.database.url === undefined ? 'embedded' : 'server',
      model: config.model.id,
      unusedForwards: unusedForwards.counts(),
      processes: await findProcesses(postgres.db, config, publicUrl),
    }),
    acceptClock: () => timeGuard.accept(),
    rotateSecrets: () => rotateAlone(async () => ({ ...(await secrets.rotate()), keyFile: secrets.keyFile ?? null })),
    setupLink: async () => {
      const link = await createSetupLink(postgres.db, publicUrl)
      if (link === undefined) throw noSetup()
      return link
    },
    signInLink: async (email, purpose) => {
      const { token, personId } = await createSignInLink(postgres.db, email, purpose)
      const { id, name } = operator
      const change = { action: 'createSignInLink', subject: personId, fields: [purpose] }
      await recordChange(postgres.db, { actor: { kind: 'operator', id, name }, address: undefined, ...change })
      // After the #: it is in no log of a proxy.
      return `${publicUrl}/${purpose === 'password' ? 'new-password' : 'sign-in/link'}#${token}`
    },
    backup: async () => {
      if (state.isBusy) throw inProgress('backup')
      const bytes = exclusively(state, streamBackup({ ...deps, postgres: embedded }))
      // Reads the first chunk now, so that a refusal is thrown before the response begins.
      const first = await bytes.next()
      return first.done ? undefined : toStream(first, bytes)
    },
  }
}

function inProgress(work: string): Failure {
  return new Failure('unavailable', `Another ${work} is in progress.`, { retryAfter: 10 })
}

type Bytes = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

async function* exclusively(state: { isBusy: boolean }, bytes: AsyncGenerator<Uint8Array>): Bytes {
  state.isBusy = true
  try {
    // A backup is read from files and the database, never from shared memory.
    yield* bytes as Bytes
  } finally {
    state.isBusy = false
  }
}

/** `bytes` must have started: cancelling a generator that has not would skip its `finally` blocks. */
function toStream(first: Awaited<ReturnType<Bytes['next']>>, bytes: Bytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pending = [first]
  return ReadableStream.from({
    [Symbol.asyncIterator]: () => ({
      next: async () => pending.shift() ?? bytes.next(),
      return: () => bytes.return(undefined),
    }),
  })
}

type Source = Pick<Deps, 'config' | 'pageViews' | 'version'> & {
  /** Undefined: the database is a server, and the backup holds page views only. */
  readonly postgres: Postgres | undefined
}

const scratchPrefix = '.snapshot-'

/**
 * Run one at a time: it first removes the snapshots that killed backups left. While it runs, it needs as much free disk
 * space as the database.
 */
export async function* streamBackup({ config, postgres, pageViews, version }: Source): AsyncGenerator<Uint8Array> {
  for (const name of await readdir(config.dataDir)) {
    if (name.startsWith(scratchPrefix)) await rm(join(config.dataDir, name), { recursive: true, force: true })
  }
  const scratch = join(config.dataDir, `${scratchPrefix}${randomUUID()}`)
  const freeze = async (into: string) => {
    const place = storePlace(config)
    if (place.kind === 'server' && !postgres) {
      throw new Failure('invalid_input', 'Database and page views are on servers: use the tools of both.')
    }
    if (place.kind === 'server') return undefined
    const store = await pageViews.openIfThere()
    return store && freezeStore(store, place.directory, into)
  }
  yield* createBackup({ postgres, scratch, version, now: new Date(), freeze })
}
