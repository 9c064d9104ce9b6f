// Rehearses an upgrade: asks the running service, makes a copy of its data, opens the copy with this release, counts its windows again,
// asks it the same, and compares.

import { join, resolve } from 'node:path'
import { type Config, parseConfig } from '../../config/config.ts'
import { migrations as storeMigrations } from '../../clickhouse/migrate.ts'
import { migrations } from '../../postgres/migrate.ts'
import type { RebuildResult } from '../../analytics/counts/uniques/rebuild.ts'
import type { Manifest } from '../../service/backup.ts'
import { holdDirectory } from '../../service/data-directory.ts'
import { missingEngine } from '../../service/page-view-store.ts'
import { isServed } from '../../service/socket.ts'
import { version } from '../../service/version.ts'
import { type Api, createApi, openSocketApi } from '../api/api.ts'
import { openInProcess } from '../api/in-process.ts'
import { readProjects } from '../api/projects.ts'
import { readWindows, rebuildWindow } from '../api/visitor-windows.ts'
import { backUp, refusePlace } from '../backup/back-up.ts'
import { restore } from '../backup/restore.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { makePlace, placeCopy } from './copy.ts'
import { type Compared, compareFigures } from './differences.ts'
import { type Figures, readFigures } from './figures.ts'
import { createProgress, type Progress } from './progress.ts'

export type RehearseOptions = { readonly backup?: string; readonly work?: string; readonly database?: string }

export type Rehearsal = Compared & {
  /** The release of the data, and the one that tried to open them. */
  readonly from: string
  readonly to: string
  /** The migrations that the upgrade will run. */
  readonly migrations: { readonly database: readonly string[]; readonly pageViews: readonly string[] }
  /** How long opening the copy took, which is how long the start after the upgrade takes. */
  readonly startSeconds: number
  readonly windows: Readonly<Record<RebuildResult, number>>
  readonly seconds: number
  /** The file of the backup that was kept; null: it was removed. */
  readonly backup: string | null
}

const why = 'A rehearsal compares a copy with its answers, and leaves the data as they are.'
const since = (began: number) => Math.round((performance.now() - began) / 100) / 10

/** Leaves nothing behind but the backup that was asked for. Throws what a backup, a restore and the start of a service throw. */
export async function rehearse(context: CommandContext, options: RehearseOptions): Promise<Rehearsal> {
  const began = performance.now()
  const config = readConfig(context, options)
  if (!(await isServed(config)))
    throw usage(`No service runs on ${config.dataDir}: start the release of the data first. ${why}`)
  if (options.backup !== undefined) await refusePlace(resolve(options.backup))
  const place = await makePlace(config, options.work)
  const progress = createProgress(context)
  try {
    const running = openSocketApi(config)
    // The same days for all questions, also across midnight.
    const now = new Date()
    const withPageViews = (await missingEngine(config)) === undefined
    const ask = (api: Api, name: string) => {
      progress.show(`asking ${name}`)
      return readFigures({ api, stop: context.stop, now, withPageViews })
    }
    const before = await ask(running, 'the running service')
    const file = options.backup === undefined ? join(place.folder, 'backup.tar.gz') : resolve(options.backup)
    progress.show('making a copy')
    const { holds } = await backUp({ ...context, json: true }, config, file)
    const after = await ask(running, 'the running service again')
    const copy = await placeCopy(config, place.folder, options.database)
    const manifest = holds === 'nothing' ? undefined : await restore(copy, file)
    const tried = await openCopy(copy, progress, async (api) => ({
      windows: withPageViews ? await recount(api, progress, context.stop) : noWindows,
      figures: await ask(api, 'the copy'),
    }))
    return {
      from: manifest?.version ?? version,
      to: version,
      migrations: newMigrations(manifest),
      startSeconds: tried.startSeconds,
      windows: tried.windows,
      ...compareFigures(before, after, tried.figures),
      seconds: since(began),
      backup: options.backup === undefined || holds === 'nothing' ? null : file,
    }
  } finally {
    progress.clear()
    await place.remove()
  }
}

function readConfig({ environment }: CommandContext, { database }: RehearseOptions): Config {
  const config = parseConfig(environment)
  if (environment['DOCENT_URL'])
    throw usage('DOCENT_URL is set, but a rehearsal copies the data directory on this machine.')
  if (config.clickhouseUrl !== undefined)
    throw usage(
      'CLICKHOUSE_URL is set: this release would migrate the page views of that server. Rehearse with a restored copy of both servers in DATABASE_URL and CLICKHOUSE_URL, and another DOCENT_DATA_DIR, by starting `docent serve` there.',
    )
  if (config.database.url !== undefined && database === undefined)
    throw usage(
      'DATABASE_URL is set: restore a dump of that database into another one (pg_dump, pg_restore), and name it with --database.',
    )
  if (config.database.url === undefined && database !== undefined)
    throw usage('--database is for a service with DATABASE_URL: the embedded database is copied.')
  return config
}

function newMigrations(manifest: Manifest | undefined): Rehearsal['migrations'] {
  const missing = (all: object, known: readonly string[] | undefined) =>
    known === undefined ? [] : Object.keys(all).filter((name) => !known.includes(name))
  const { schema, store, holds } = manifest ?? {}
  return {
    database: missing(migrations, holds === 'all' ? schema : undefined),
    pageViews: missing(storeMigrations, store?.schema),
  }
}

type Tried = { readonly windows: Rehearsal['windows']; readonly figures: Figures }

/** Opens the copy without its work: no job runs, and nothing is sent. */
async function openCopy(
  copy: Config,
  progress: Progress,
  work: (api: Api) => Promise<Tried>,
): Promise<Tried & { readonly startSeconds: number }> {
  progress.show(`opening the copy with ${version}`)
  const began = performance.now()
  const opened = await openInProcess(copy, holdDirectory(copy))
  try {
    const api = { ...createApi(opened.send), close: opened.close }
    await api.send('GET', '/readyz')
    const startSeconds = since(began)
    return { ...(await work(api)), startSeconds }
  } finally {
    await opened.close()
  }
}

const noWindows: Rehearsal['windows'] = { equal: 0, different: 0, new: 0, moving: 0 }

/** Counts the visitors of every window from its page views. */
async function recount(api: Api, progress: Progress, stop: AbortSignal): Promise<Rehearsal['windows']> {
  const counts = { ...noWindows }
  const projects = await readProjects<{ readonly id: string; readonly name: string }>(api)
  for (const { id, name: project } of projects) {
    const windows = await readWindows(api, id)
    for (const [at, { name }] of windows.entries()) {
      stop.throwIfAborted()
      progress.show(`counting visitors of ${project} again: window ${at + 1} of ${windows.length}`)
      counts[await rebuildWindow(api, id, name)] += 1
    }
  }
  return counts
}
