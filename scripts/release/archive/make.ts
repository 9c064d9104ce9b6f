// Makes `test/upgrades/VERSION.tar.zst`: the data that this release stores, which every later one must open. It holds `data` (a data
// directory of the embedded engines), `postgres.sql` (a dump of the same database) and `expected.json` (what the API says about
// them). Uses the service as people do, except that windows are sealed at once instead of after a minute.

import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { createSealer } from '../../../src/analytics/counts/uniques/keep-sealed.ts'
import { openSocketApi } from '../../../src/cli/api/api.ts'
import { openClickHouse } from '../../../src/clickhouse/open.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { openPostgres } from '../../../src/postgres/open.ts'
import { version } from '../../../src/service/version.ts'
import { serveData } from '../../../test/support/data-directory.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import {
  type Call,
  countAgain,
  type Figures,
  monthAfter,
  pathsOf,
  type Recorded,
} from '../../../test/upgrades/figures.ts'
import { settingsFor } from '../../../test/upgrades/open.ts'
import { addJobs, addPageViews } from './fill.ts'

const mostBytes = 3_000_000
const run = promisify(execFile)

/** Throws if the archive would be larger than 3 MB, or if what it holds does not agree with itself. */
export async function makeArchive(say: (line: string) => void): Promise<string> {
  const folder = await temporaryFolder('archive')
  try {
    const repository = await makeRepository(folder)
    const dataDir = join(folder, 'made/data')
    say('Jobs, pull requests and page views …')
    const first = await withService(dataDir, folder, (call) => fill(call, repository))
    say('Sealed windows …')
    await seal(dataDir)
    say('Open windows …')
    const figures = await withService(dataDir, folder, (call) => finish(call, first))
    const { key, projectIds } = first
    const windows = await countCopy(dataDir, folder, projectIds)
    const recorded: Recorded = { version, madeAt: new Date().toISOString(), key, figures, windows }
    await writeFile(join(folder, 'made/expected.json'), `${JSON.stringify(recorded, null, 2)}\n`)
    await writeFile(join(folder, 'made/postgres.sql'), await dump(dataDir))
    say(windows.map(({ name, result }) => `${name || 'all'}: ${result}`).join(', '))
    say(`${Object.keys(figures).length} responses`)
    return await pack(join(folder, 'made'))
  } finally {
    await removeFolder(folder)
  }
}

async function makeRepository(folder: string): Promise<string> {
  const work = join(folder, 'work')
  await cp(fileURLToPath(new URL('../../../examples/docs', import.meta.url)), work, { recursive: true })
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=Acme', '-c', 'user.email=docs@example.com', ...args], { cwd: work })
  await git('-c', 'init.defaultBranch=main', 'init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message=The documentation')
  await run('git', ['clone', '--quiet', '--bare', work, join(folder, 'docs.git')])
  return join(folder, 'docs.git')
}

/** `send`: with the rights of the operator, or with the key. */
async function withService<T>(dataDir: string, cwd: string, use: (call: Call) => Promise<T>): Promise<T> {
  const { DOCENT_SECRET_KEY = '' } = settingsFor('')
  const service = await serveData(dataDir, cwd, { DOCENT_SECRET_KEY })
  const operator = openSocketApi(parseConfig({ DOCENT_DATA_DIR: dataDir }))
  try {
    return await use(async <R>(method: string, path: string, body?: unknown) => {
      const { body: text } = await operator.send(method, path, body)
      return (text === '' ? undefined : JSON.parse(text)) as R
    })
  } finally {
    await operator.close()
    await service.stop()
  }
}

/** Counting an open window again seals it, so it is done with a copy. */
async function countCopy(dataDir: string, folder: string, projectIds: readonly string[]) {
  const copy = join(folder, 'copy')
  await cp(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('docent.sock') })
  const windows = await withService(copy, folder, (call) => countAgain(call, projectIds))
  const results = new Set(windows.map(({ result }) => result))
  if (!results.has('equal') || !results.has('new') || results.size > 2)
    throw new Error(`Counting the windows again says ${[...results].join(', ')} instead of equal and new.`)
  return windows
}

type Filled = {
  readonly key: string
  /** One whose visitors are others each month, and one whose visitors stay. */
  readonly projectIds: readonly [monthly: string, lasting: string]
  readonly months: readonly string[]
}

async function fill(call: Call, repository: string): Promise<Filled> {
  const create = (settings: object) =>
    call<{ readonly id: string }>('POST', '/v1/projects', { repository, retentionMonths: 120, ...settings })
  const monthly = await create({ name: 'Monthly' })
  const lasting = await create({ name: 'Lasting', timeZone: 'Asia/Kolkata', visitorWindow: 'never' })
  const { key } = await call<{ readonly key: string }>('POST', '/v1/keys', { name: 'archive', scope: 'admin' })
  await addJobs(call, monthly.id)
  const filters = { section: ['/guides'], class: ['human'] }
  await call('POST', `/v1/projects/${lasting.id}/segments`, { name: 'Readers of the guides', filters })
  const now = new Date().toISOString().slice(0, 7)
  const months = [-3, -2, -1, 0].map((by) => monthAfter(now, by))
  for (const month of months.slice(0, -1)) {
    const from = Date.parse(`${month}-01T06:00:00Z`)
    await addPageViews(call, { projectId: monthly.id, from, days: 25, readers: 40 })
    await addPageViews(call, { projectId: lasting.id, from, days: 25, readers: 18, byId: true })
  }
  return { key, months, projectIds: [monthly.id, lasting.id] }
}

/** Every window rests at the second look. */
async function seal(dataDir: string): Promise<void> {
  const postgres = await openPostgres({ kind: 'embedded', directory: join(dataDir, 'postgres') })
  const store = await openClickHouse({ kind: 'embedded', directory: join(dataDir, 'clickhouse') })
  const sealer = createSealer()
  const round = { db: postgres.db, store, clock: systemClock, signal: new AbortController().signal }
  await sealer(round)
  await sealer(round)
  await store.close()
  await postgres.close()
}

/** Page views of this month, and in one window some that come after its seal. Returns what the API says then. */
async function finish(call: Call, { projectIds, months }: Filled): Promise<Figures> {
  const [monthly, lasting] = projectIds
  const lastDays = Date.now() - 2 * 86_400_000
  await addPageViews(call, { projectId: monthly, from: lastDays, days: 2, readers: 40 })
  await addPageViews(call, { projectId: lasting, from: lastDays, days: 2, readers: 20, byId: true })
  const paths = projectIds.flatMap((projectId) => pathsOf(projectId, months))
  const responses: [string, unknown][] = []
  for (const path of paths) responses.push([path, withoutWords(await call('GET', path))])
  return Object.fromEntries(responses)
}

/** Notes are for people, and later releases may put them otherwise. */
function withoutWords(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response, (name, value: unknown) => (name === 'note' ? undefined : value)))
}

/** `pg_dump` as a database without its owner gets it. */
async function dump(dataDir: string): Promise<string> {
  const database = new PGlite({ dataDir: join(dataDir, 'postgres') })
  await database.waitReady
  const file = await pgDump({ pg: database, args: ['--no-owner', '--no-privileges'] })
  await database.close()
  return file.text()
}

/** Leaves out what a service makes again by itself: locks, caches of repositories. */
async function pack(made: string): Promise<string> {
  const tar = join(made, '../made.tar')
  const kept = ['data/postgres', 'data/clickhouse', 'expected.json', 'postgres.sql']
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--format=gnu']
  await run('tar', ['--create', '--file', tar, ...owner, '--directory', made, ...kept])
  const {
    ZSTD_c_compressionLevel: level,
    ZSTD_c_enableLongDistanceMatching: long,
    ZSTD_c_windowLog: window,
  } = constants
  const packed = zstdCompressSync(await readFile(tar), { params: { [level]: 19, [long]: 1, [window]: 27 } })
  if (packed.length > mostBytes) throw new Error(`The archive has ${packed.length} bytes, more than ${mostBytes}.`)
  const path = fileURLToPath(new URL(`../../../test/upgrades/${version}.tar.zst`, import.meta.url))
  await rm(path, { force: true })
  await writeFile(path, packed)
  return path
}

if (import.meta.main) console.log(await makeArchive(console.log))
