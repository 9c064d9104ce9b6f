// The clock of a real PostgreSQL server, as the time guard and `docent doctor` compare it with the clock of this machine.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { createTimeGuard } from '../../src/time-guard/time-guard.ts'
import { runCommand } from '../support/command.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const log = createLog('silent')

let url: string
let postgres: Postgres
before(async () => {
  url = await (await sharedServer()).createDatabase()
  postgres = await openPostgres({ kind: 'server', url, connections: 1, log })
})
after(() => postgres.close())

/** As a server whose clock is ahead of the database's. */
function createGuard(aheadMs: number, on: Postgres = postgres) {
  return createTimeGuard({ postgres: on, clock: { now: () => new Date(Date.now() + aheadMs) }, log })
}

test('a server reports its time and address, in parallel on one connection', async () => {
  const start = Date.now()
  const times = await Promise.all([1, 2, 3].map(async () => postgres.readTime?.()))
  const end = Date.now()
  for (const time of times) {
    assert.equal(time?.address, '127.0.0.1')
    const now = time.now.getTime()
    assert.ok(start <= now && now <= end, `${now} is not between ${start} and ${end}`)
  }
})

test('no upkeep while the clocks of server and database differ by over five minutes', async () => {
  assert.ok(await createGuard(-4 * minuteMs).upkeepTime())
  for (const aheadMs of [-6 * minuteMs, 6 * minuteMs]) {
    const guard = createGuard(aheadMs)
    assert.deepEqual([await guard.upkeepTime(), guard.state().kind], [undefined, 'differs'])
  }
})

test('a server on this machine is no witness of a doubted clock', async (t) => {
  // Trusted time only grows, so it begins in a database of its own.
  const own = await (await sharedServer()).createDatabase()
  const other = await openPostgres({ kind: 'server', url: own, connections: 1, log })
  t.after(() => other.close())
  const thirteenHoursAgo = { now: () => new Date(Date.now() - 13 * hourMs) }
  await createTimeGuard({ postgres: { db: other.db }, clock: thirteenHoursAgo, log }).upkeepTime()
  const guard = createGuard(0, other)
  assert.deepEqual([await guard.upkeepTime(), guard.state().kind], [undefined, 'doubted'])
  await guard.accept()
  assert.ok(await guard.upkeepTime())
})

test('doctor reports a clock that differs from that of the database', async (t) => {
  const folder = await temporaryFolder('clock')
  t.after(() => removeFolder(folder))
  const environment = { DOCENT_DATA_DIR: folder, ...serverSettings(url), DOCENT_LOG_LEVEL: 'silent' }
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hourMs })
  const { code, stdout } = await runCommand(['doctor', '--json'], environment)
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  const clock = findings.find(({ about }) => about === 'clock')
  assert.deepEqual([code, clock?.state], [0, 'warning'])
  assert.match(clock?.says ?? '', /is 60 minutes ahead of the clock of the database\..* set both with NTP\.$/)
  assert.doesNotMatch(JSON.stringify(clock), /accept-clock/)
  const refused = await runCommand(['doctor', '--accept-clock'], environment)
  assert.deepEqual([refused.code, refused.stdout], [4, ''])
  assert.match(refused.stderr, /60 minutes ahead of the clock of the database/)
})
