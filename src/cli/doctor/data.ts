// Checks the database and lists its projects: asks the running service, or else reads the data without changing them.

import type { Config } from '../../config/config.ts'
import { toFailure } from '../../lib/failure.ts'
import { migrations } from '../../postgres/migrate.ts'
import { inspectPostgres } from '../../postgres/inspect.ts'
import { isDatabase } from '../../postgres/template.ts'
import { enterDirectory, type Waiting } from '../../service/data-directory.ts'
import type { DirectoryLock } from '../../lib/directory-lock.ts'
import type { OtherProcess } from '../../service/processes/processes.ts'
import { databasePlace } from '../../service/engines.ts'
import { assessClock, describeClock } from '../../time-guard/clock-state.ts'
import { toRecord } from '../../time-guard/record.ts'
import { createLog } from '../../lib/observability/log.ts'
import { openSocketApi } from '../api/api.ts'
import { readProjects } from '../api/projects.ts'
import { exists } from '../backup/files.ts'
import type { ModelKey } from '../../models/keys.ts'
import type { ListedPerson } from '../../people/people.ts'
import { describeForwarded, type ForwardedUse } from '../../lib/observability/forwarded-count.ts'
import { checkSecrets } from './secrets.ts'
import type { ForwardCounts } from '../../http/request/address/unused-forwards.ts'
import { checkForwards } from './forwards.ts'
import { checkProcesses } from './processes.ts'
import { checkAdmins } from './people.ts'
import { failed, type Finding, fromFailure, ok, skipped, warning } from './finding.ts'

type Readiness = {
  readonly forwarded: ForwardedUse | null
  readonly clock: { readonly detail: string | null }
  readonly pageViewLog: { readonly bytes: number; readonly seconds: number }
}
type Status = {
  readonly version: string
  readonly schema: readonly string[]
  readonly unusedForwards: ForwardCounts
  /** Undefined: an earlier release runs. */
  readonly processes?: readonly OtherProcess[]
}
export type Project = {
  readonly id: string
  readonly name: string
  /** The name, or the id when projects share the name. */
  readonly label: string
  readonly repository: string
  readonly branch: string | null
}
type Unlabelled = Omit<Project, 'label'>
export type StoredModelKey = { readonly provider: string; readonly problem: string | null }
export type Data = {
  readonly findings: readonly Finding[]
  readonly projects: readonly Project[]
  readonly modelKeys: readonly StoredModelKey[]
}

/** Waits up to 30 s for a service that is starting. */
export async function checkData(config: Config, waiting: Waiting): Promise<Data> {
  try {
    if (!(await exists(config.dataDir))) return noData('no service runs', 'not there yet; the first start creates it')
    const lock = await enterDirectory(config, waiting)
    return lock === 'served' ? await askService(config) : await readData(config, lock)
  } catch (error) {
    return { findings: [fromFailure('database', toFailure(error))], projects: [], modelKeys: [] }
  }
}

async function askService(config: Config): Promise<Data> {
  const api = openSocketApi(config)
  const read = async (path: string) => JSON.parse((await api.send('GET', path)).body) as unknown
  const status = (await read('/local/status')) as Status
  const { clock, pageViewLog, forwarded } = (await read('/readyz')) as Readiness
  const projects = await readProjects<Unlabelled>(api)
  const service = ok('service', `release ${status.version} runs on ${config.dataDir}`)
  const listed = (await read('/v1/model-keys')) as { readonly modelKeys: readonly ModelKey[] }
  const modelKeys = listed.modelKeys.filter(({ isStored }) => isStored)
  const secrets = await checkSecrets(config, undefined)
  const { people } = (await read('/v1/people')) as { readonly people: readonly ListedPerson[] }
  return {
    findings: [
      service,
      checkSchema(status.schema),
      checkClock(clock.detail),
      checkPageViewLog(pageViewLog),
      secrets,
      ...checkAdmins(people),
      checkForwards(status.unusedForwards),
      // Beyond a proxy that is trusted.
      ...(status.unusedForwards.requests === 0 ? checkForwarded(forwarded) : []),
      ...checkProcesses(status.processes ?? []),
    ],
    projects: label(projects),
    modelKeys,
  }
}

/** Releases the lock after it read, and creates nothing. */
async function readData(config: Config, lock: DirectoryLock): Promise<Data> {
  try {
    const place = databasePlace(config, createLog('silent'))
    const isNew = place.kind === 'embedded' && !isDatabase(place.directory)
    if (isNew) return noData('no service runs', 'not there yet; the first start creates it')
    const inspected = await inspectPostgres(place)
    const { schema, projects, modelKeys, missingRight, trustedTime, serverTime } = inspected
    const state = assessClock(toRecord(trustedTime), { clock: Date.now(), serverTime: serverTime?.getTime() })
    const clock = checkClock(state.kind === 'trusted' ? null : describeClock(state))
    const secrets = await checkSecrets(config, inspected.secretCheck)
    const service = skipped('service', 'no service runs')
    return {
      findings: [service, checkSchema(schema, missingRight), clock, secrets],
      projects: label(projects),
      modelKeys,
    }
  } finally {
    lock.release()
  }
}

function label(projects: readonly Unlabelled[]): readonly Project[] {
  const byName = Map.groupBy(projects, ({ name }) => name)
  return projects.map((one) => ({ ...one, label: byName.get(one.name)?.length === 1 ? one.name : one.id }))
}

function noData(service: string, database: string): Data {
  return { findings: [skipped('service', service), skipped('database', database)], projects: [], modelKeys: [] }
}

function checkSchema(applied: readonly string[], missingRight?: string): Finding {
  const known = Object.keys(migrations)
  const newer = applied.filter((name) => !known.includes(name))
  const missing = known.filter((name) => !applied.includes(name))
  const says = `answers; its schema is ${applied.at(-1) ?? 'empty'}`
  if (newer.length > 0) return failed('database', says, 'A newer release wrote it: start that release or a later one.')
  if (missing.length === 0) return ok('database', says)
  if (missingRight !== undefined) return failed('database', missingRight, 'The next start has to create tables.')
  return warning(
    'database',
    `${says}, ${missing.length} migrations behind`,
    'The next start migrates it: back up first.',
  )
}

/** `problem` says what to do, too. */
function checkClock(problem: string | null): Finding {
  return problem === null ? ok('clock', 'it is trusted') : { about: 'clock', state: 'warning', says: problem }
}

/** Seconds after which page views should have been inserted. */
const usualWait = 30

export function checkPageViewLog({ bytes, seconds }: Readiness['pageViewLog']): Finding {
  const about = 'log of page views'
  if (bytes === 0) return ok(about, 'empty')
  const says = `${(bytes / 1e6).toFixed(1)} MB wait to be inserted, the oldest for ${Math.round(seconds)} s`
  if (seconds < usualWait) return ok(about, says)
  return warning(about, says, 'The store takes no page views: look at the log of the service, and at the disk.')
}

function checkForwarded(use: ForwardedUse | null): readonly Finding[] {
  if (use === null) return []
  const says = `${describeForwarded(use, 'requests of the last hour')}: they count as few visitors, and share their attempts to sign in`
  const todo = 'If the few are your proxies or a CDN, set DOCENT_TRUSTED_PROXIES to their number or their networks.'
  return [warning('addresses of clients', says, todo)]
}
