// The processes that share a PostgreSQL server: each stores its name and the settings that must be the same in all of them
// once a minute. A start that differs from a process at work says so in the log, and `docent doctor` shows all of them.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { type Config, toValuesByName } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Db } from '../../postgres/types.ts'
import { version } from '../version.ts'

type Settings = Readonly<Record<string, string>>
export type Differing = {
  /** The name of the variable. */
  readonly setting: string
  /** Its values as JSON. */
  readonly here: string
  readonly there: string
}
export type OtherProcess = {
  readonly name: string
  readonly release: string
  /** The settings that differ from those of this process. */
  readonly differing: readonly Differing[]
}

/** A job or a link depends on the process that serves it if they differ. Keys and addresses of stores are not here. */
const shared: ReadonlySet<string> = new Set([
  'DOCENT_MODEL',
  'DOCENT_MODEL_PRICES',
  'DOCENT_MODEL_CONTEXT_TOKENS',
  'DOCENT_MAX_TURNS',
  'DOCENT_MAX_TOKENS',
  'DOCENT_MAX_COST_USD',
  'DOCENT_MAX_RUN_SECONDS',
  'DOCENT_MAX_CHANGED_FILES',
  'DOCENT_MAX_CHANGED_BYTES',
  'DOCENT_MAX_REPOSITORY_BYTES',
  'DOCENT_MAX_REPOSITORY_FILES',
  'DOCENT_ALLOW_LOCAL_REPOSITORIES',
  'DOCENT_PRIVATE_REPOSITORY_HOSTS',
  'DOCENT_MAIL_FROM',
  'DOCENT_COMMIT_NAME',
  'DOCENT_COMMIT_EMAIL',
  'DOCENT_CREATES_PER_HOUR',
  'DOCENT_MESSAGES_PER_HOUR',
  'DOCENT_COLLECTS_PER_MINUTE',
  'DOCENT_EXPORTS_PER_HOUR',
  'DOCENT_FORGE_READS_PER_HOUR',
  'DOCENT_ARCHIVE_AFTER_DAYS',
  'DOCENT_LEASE_SECONDS',
])

const everyMs = 60_000
/** A process that was not seen for this time is dead. */
const deadAfter = sql`interval '3 minutes'`

export type ProcessOptions = {
  readonly db: Db
  readonly config: Config
  readonly role: 'server' | 'worker' | undefined
  /** The beginning of the links of this process. */
  readonly publicUrl: string
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
}

/** Stores this process, and logs how the others differ. Returns a function that removes it. */
export async function joinProcesses({ db, config, role, publicUrl, clock, log }: ProcessOptions) {
  if (config.database.url === undefined) return () => Promise.resolve()
  const name = `${role ?? 'server and worker'} on ${hostname()} (${config.dataDir})`
  const row = { id: randomUUID(), name, release: version, settings: JSON.stringify(settingsOf(config, publicUrl)) }
  const store = () =>
    db
      .insertInto('processes')
      .values({ ...row, seen_at: sql<Date>`now()` })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql<Date>`now()` }))
      .execute()
  const compareWithOthers = async () => {
    await db
      .deleteFrom('processes')
      .where('seen_at', '<', sql<Date>`now() - ${deadAfter}`)
      .execute()
    await store()
    for (const other of await findProcesses(db, config, publicUrl)) {
      if (other.differing.length === 0) continue
      const words = `${describeDiffering(other)}: set the same in all processes`
      log.warn({ process: other.name, differing: other.differing }, words)
    }
  }
  await compareWithOthers().catch((error: unknown) => {
    log.warn({ err: error }, 'the settings were not compared with those of other processes')
  })
  const leaving = new AbortController()
  const kept = keep(store, { clock, log, signal: leaving.signal })
  return async () => {
    leaving.abort()
    await kept
    const left = db.deleteFrom('processes').where('id', '=', row.id).execute()
    await left.catch(() => undefined)
  }
}

type Keeping = Pick<ProcessOptions, 'clock' | 'log'> & { readonly signal: AbortSignal }

async function keep(store: () => Promise<unknown>, { clock, log, signal }: Keeping): Promise<void> {
  for (;;) {
    await clock.sleep(everyMs, signal)
    if (signal.aborted) return
    await store().catch((error: unknown) => log.debug({ err: error }, 'this process was not stored'))
  }
}

/** The processes at work, this one too, and how they differ from these settings. */
export async function findProcesses(db: Db, config: Config, publicUrl: string): Promise<readonly OtherProcess[]> {
  const own = settingsOf(config, publicUrl)
  const rows = await db
    .selectFrom('processes')
    .select(['name', 'release', 'settings'])
    .where('seen_at', '>=', sql<Date>`now() - ${deadAfter}`)
    .orderBy('name')
    .execute()
  return rows.map(({ name, release, settings }) => ({
    name,
    release,
    differing: compare(own, JSON.parse(settings) as Settings),
  }))
}

export function describeDiffering({ name, differing }: OtherProcess): string {
  const settings = differing.map(({ setting, here, there }) => `${setting} is ${here} here and ${there} there`)
  return `the ${name} has other settings: ${settings.join('; ')}`
}

function settingsOf(config: Config, publicUrl: string): Settings {
  return { DOCENT_PUBLIC_URL: JSON.stringify(publicUrl), ...toValuesByName(config, shared) }
}

/** A setting that only one of two releases has differs in nothing. */
function compare(here: Settings, there: Settings): readonly Differing[] {
  return Object.entries(here).flatMap(([setting, value]) => {
    const other = there[setting]
    return other === undefined || other === value ? [] : [{ setting, here: value, there: other }]
  })
}
