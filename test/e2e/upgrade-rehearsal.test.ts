// A rehearsal opens a copy of the data that a service uses, compares both, and leaves nothing behind. It finds what the copy answers
// differently: here, visitors whose stored counters are wrong.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { describe } from '../../src/cli/upgrade/describe.ts'
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

const docent = (...args: readonly string[]) => runCommand(args, { DOCENT_DATA_DIR: dataDir, DOCENT_LOG_LEVEL: 'error' })

test('data of an earlier release that no service uses are left as they are', async () => {
  const made = await docent('backup', join(folder, 'older.tar.gz'))
  assert.equal(made.code, 1)
  assert.match(made.stderr, /The page views are those of an earlier release, which could not open them after this one/)
  const { code, stderr } = await docent('upgrade', '--rehearse')
  assert.equal(code, 2)
  assert.match(stderr, /No service runs on .*: start the release of the data first\./)
  const lost = await docent('backup', join(folder, 'missing/x.tar.gz'))
  assert.deepEqual([lost.code, /There is no folder .*missing: create it/.test(lost.stderr)], [2, true], lost.stderr)
})

test('a copy of the data is compared with the service, and wrong counters are found', async () => {
  const projects = JSON.parse((await docent('project', 'list', '--json')).stdout) as Projects
  for (const { id } of projects) assert.equal((await docent('analytics', 'rebuild', '--project', id)).code, 0)
  const store = await openClickHouse({ kind: 'embedded', directory: join(dataDir, 'clickhouse') })
  await store.rewrite("ALTER TABLE counters UPDATE total = arrayMap(one -> one + 1, total) WHERE project_id != ''", {})
  await store.close()
  service = await serveData(dataDir, folder)
  const names = await readdir(dataDir)
  const kept = join(folder, 'kept.tar.gz')
  const { code, stdout, stderr } = await docent('upgrade', '--rehearse', '--backup', kept, '--json')
  assert.equal(code, 5, stderr)
  assert.match(stderr, /differences: do not upgrade\. The data are unchanged\./)
  const rehearsal = JSON.parse(stdout) as Rehearsal
  const { compared, moved, differences, windows, migrations, backup, startSeconds, seconds } = rehearsal
  // Jobs, pull requests and windows are the same.
  for (const { about } of differences) assert.match(about, /^(timeseries|visitors|views): /)
  assert.ok(differences.length > 0 && compared > differences.length + 10, `${compared} figures`)
  assert.deepEqual([moved, windows.different, windows.moving, backup], [0, 0, 0, kept])
  assert.ok(windows.new > 0 && startSeconds < seconds)
  assert.deepEqual(migrations, { database: [], pageViews: [] })
  const [one] = describe({ ...rehearsal, differences: differences.slice(0, 1) })
    .split('\n')
    .slice(3)
  assert.match(one ?? '', /^ {2}\w+: .+: \d+ \d+ \d+ in the service, \d+ \d+ \d+ in the copy$/)
  assert.deepEqual(await readdir(dataDir), names)
})

type Projects = readonly { readonly id: string }[]
