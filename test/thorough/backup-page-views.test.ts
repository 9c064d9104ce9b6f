// Page views in a backup: made while a service takes more of them, put back elsewhere, and counted there. Each service
// is a process of its own, since a process opens one embedded store.

import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { resultOf, runCommand, spawnPreloaded } from '../support/command.ts'
import { listening, readCounts, sendPageViews } from '../support/page-view-service.ts'
import { connect, createClient, createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let dataDir: string
before(async () => {
  folder = await temporaryFolder('backup')
  dataDir = await createDataDir(folder)
})
after(async () => {
  await removeFolder(folder)
})

const environmentOf = (DOCENT_DATA_DIR: string) => ({
  DOCENT_DATA_DIR,
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'error',
  DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
})

const movedClock = fileURLToPath(new URL('../support/moved-clock.ts', import.meta.url))

/** With the clock of this process, which made the page views. */
const start = (args: readonly string[], directory: string) =>
  spawnPreloaded(movedClock, args, { ...environmentOf(directory), TEST_CLOCK: process.env['TEST_CLOCK'] }, folder)
/** Opens a store of page views. */
const inOwnProcess = (args: readonly string[], directory: string) => resultOf(start(args, directory))
/** Opens no store in this process. */
const docent = (args: readonly string[], directory: string) => runCommand(args, environmentOf(directory))

const serve = (t: TestContext, directory: string) => listening(t, start(['serve', '--json'], directory))

test('page views are in a backup, and the visitors of today stay the same ones', async (t) => {
  const archive = join(folder, 'with.tar.gz')
  const first = await serve(t, dataDir)
  const client = await createClient(environmentOf(dataDir), [first.address], 'https://git.example/docs.git')
  for (const day of [0, 1, 40, 80, 200]) await sendPageViews(client, day)
  const counted = await readCounts(client)
  assert.equal(counted.views, 250)
  const made = await docent(['backup', archive], dataDir)
  assert.equal(made.code, 0, made.stderr)
  await sendPageViews(client, 2)
  await first.stop()
  assert.deepEqual((await readdir(join(dataDir, 'clickhouse'))).includes('shadow'), false)

  const target = join(folder, 'restored')
  const restored = await inOwnProcess(['restore', archive, '--json'], target)
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual((JSON.parse(restored.stdout) as { counts: unknown }).counts, {
    projects: 1,
    jobs: 0,
    keys: 1,
    pageViews: 250,
  })
  const second = await serve(t, target)
  const { projectId, key } = client
  const again = connect({ addresses: [second.address], projectId, key, send: fetch })
  assert.deepEqual(await readCounts(again), counted)
  await sendPageViews(again, 0)
  assert.deepEqual(await readCounts(again), counted, 'they are known by their ids')
  await again.call('POST', `/v1/analytics/${projectId}/page-views`, [
    {
      timestamp: Date.now(),
      path: '/new',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      address: '192.0.2.7',
    },
  ])
  assert.deepEqual(await readCounts(again), { views: 251, visitors: counted.visitors }, 'the salt came along')
  await second.stop()
})

test('without a service, and of one that never had a page view', async () => {
  const stopped = join(folder, 'stopped.tar.gz')
  assert.equal((await inOwnProcess(['backup', stopped], join(folder, 'restored'))).code, 0)
  const third = await inOwnProcess(['restore', stopped], join(folder, 'third'))
  assert.match(third.stdout, /, 1 keys and 251 page views as of/)
  await rm(join(folder, 'third', 'clickhouse'), { recursive: true })
  const bare = join(folder, 'bare.tar.gz')
  assert.equal((await docent(['backup', bare], join(folder, 'third'))).code, 0)
  const fourth = await docent(['restore', bare], join(folder, 'fourth'))
  assert.match(fourth.stdout, / and 0 page views as of/)
  assert.equal((await readdir(join(folder, 'fourth'))).includes('clickhouse'), false)
})
