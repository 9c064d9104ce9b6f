// A rehearsal opens a copy of the data that a service uses, compares both, and leaves nothing behind. It finds what the copy answers
// differently: here, visitors whose stored counters are wrong.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { readProjects } from '../../src/cli/api/projects.ts'
import { listWindows } from '../../src/cli/upgrade/figures.ts'
import type { Rehearsal } from '../../src/cli/upgrade/rehearse.ts'
import { openClickHouse } from '../../src/clickhouse/open.ts'
import { runCommand } from '../support/command.ts'
import { type DataService, serveData, unpackData } from '../support/data-directory.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const fixture = fileURLToPath(new URL('../fixtures/data-ffe62e2/', import.meta.url))

let folder: string
let dataDir: string
let service: DataService | undefined
before(async () => {
  folder = await temporaryFolder('rehearsal')
  dataDir = await unpackData(fixture, folder)
})
after(async () => {
  await service?.stop()
  await removeFolder(folder)
})

const rehearse = (...options: readonly string[]) =>
  runCommand(['upgrade', '--rehearse', ...options], { DOCENT_DATA_DIR: dataDir, DOCENT_LOG_LEVEL: 'error' })

test('data of an earlier release that no service uses are left as they are', async () => {
  const made = await runCommand(['backup', join(folder, 'older.tar.gz')], { DOCENT_DATA_DIR: dataDir })
  assert.equal(made.code, 1)
  assert.match(made.stderr, /The page views are those of an earlier release, which could not open them after this one/)
  const { code, stderr } = await rehearse()
  assert.equal(code, 2)
  assert.match(stderr, /No service runs on .*: start the release of the data first\./)
})

test('a copy of the data answers as the service does, and is removed', async () => {
  service = await serveData(dataDir, folder)
  const names = await readdir(dataDir)
  const { code, stdout, stderr } = await rehearse('--backup', join(folder, 'kept.tar.gz'), '--json')
  assert.equal(code, 0, stderr)
  const { compared, moved, differences, windows, migrations, backup, ...rest } = JSON.parse(stdout) as Rehearsal
  assert.deepEqual([differences, moved, windows.moving, windows.different], [[], 0, 0, 0])
  assert.equal(windows.new + windows.equal, await countWindows())
  assert.ok(compared > 20, `${compared} figures`)
  assert.deepEqual(migrations, { database: [], pageViews: [] })
  assert.equal(backup, join(folder, 'kept.tar.gz'))
  assert.ok(rest.startSeconds < rest.seconds)
  assert.deepEqual(await readdir(dataDir), names)
})

async function countWindows(): Promise<number> {
  const api = openSocketApi({ dataDir })
  const projects = await readProjects<{ readonly id: string }>(api)
  const windows = await Promise.all(projects.map(({ id }) => listWindows({ api }, id)))
  return windows.flat().length
}

test('wrong counters are found, and the command says not to upgrade', async () => {
  const api = openSocketApi({ dataDir })
  for (const { id } of await readProjects<{ readonly id: string }>(api)) {
    for (const { name } of await listWindows({ api }, id)) {
      await api.send('POST', `/v1/analytics/${id}/visitor-windows/rebuild`, { name })
    }
  }
  await service?.stop()
  service = undefined
  const store = await openClickHouse({ kind: 'embedded', directory: join(dataDir, 'clickhouse') })
  await store.rewrite("ALTER TABLE counters UPDATE total = arrayMap(one -> one + 1, total) WHERE project_id != ''", {})
  await store.close()
  service = await serveData(dataDir, folder)
  const { code, stdout, stderr } = await rehearse()
  assert.equal(code, 5, stdout)
  assert.match(stdout, /^ {2}timeseries: \d{4}-\d\d-\d\d of .+: \d+ \d+ \d+ in the service, \d+ \d+ \d+ in the copy$/m)
  assert.match(stdout, /^\d+ differences, [\d.]+ s, way back: install 0\.1\.0 again, and docent restore/m)
  assert.match(stderr, /differences: do not upgrade\. The data are unchanged\./)
})
