// `docent doctor` where the clock is doubted, and `--accept-clock`: on a data directory, and beside a service on it.

import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { serve } from '../../src/service/service.ts'
import { createTimeGuard } from '../../src/time-guard/time-guard.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { copyTemplate } from '../support/template.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const dayMs = 86_400_000

let folder: string
let environment: Environment
suite('docent doctor and a doubted clock', () => {
  beforeEach(async () => {
    folder = await temporaryFolder('doctor-clock')
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await addDataOfLongAgo(join(dataDir, 'postgres'))
    environment = {
      DOCENT_DATA_DIR: dataDir,
      DOCENT_PORT: '0',
      DOCENT_LOG_LEVEL: 'silent',
      CLICKHOUSE_URL: await frontDatabase(),
    }
  })

  afterEach(() => removeFolder(folder))

  /** A database whose service ran last 100 days ago: the clock of now is doubted. */
  async function addDataOfLongAgo(directory: string): Promise<void> {
    await copyTemplate(directory)
    const postgres = await openPostgres({ kind: 'embedded', directory })
    const clock = { now: () => new Date(Date.now() - 100 * dayMs) }
    await createTimeGuard({ postgres, clock, log: createLog('silent') }).upkeepTime()
    await postgres.close()
  }

  async function examine(...args: readonly string[]): Promise<readonly Finding[]> {
    const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], environment)
    assert.deepEqual([code, stderr], [0, ''])
    return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings
  }

  const statesOf = (findings: readonly Finding[]) =>
    ['service', 'database', 'clock'].map((about) => findings.find((one) => one.about === about)?.state)

  function assertDoubted(findings: readonly Finding[]): void {
    const clock = findings.find(({ about }) => about === 'clock')
    assert.equal(clock?.state, 'warning')
    assert.match(clock?.says ?? '', /^The clock says \d{4}-.* UTC, but it was last trusted at \d{4}-/)
    assert.match(clock?.says ?? '', /run `docent doctor --accept-clock`; otherwise .* 24 more hours of running\.$/)
  }

  test('without a service doctor reports a doubted clock until it is accepted', async () => {
    assertDoubted(await examine())
    assertDoubted(await examine())
    assert.deepEqual(statesOf(await examine('--accept-clock')), ['skipped', 'ok', 'ok'])
    assert.deepEqual(statesOf(await examine()), ['skipped', 'ok', 'ok'])
  })

  test('beside a service doctor reports a doubted clock until it is accepted', async () => {
    const service = await serve(parseConfig(environment))
    try {
      const clockState = async () => {
        const response = await fetch(`${service.address}/readyz`)
        assert.equal(response.status, 200)
        return ((await response.json()) as { readonly clock: { readonly state: string } }).clock.state
      }
      // The service asks about the clock in the first sweep after its start.
      for (let tries = 0; tries < 600 && (await clockState()) === 'trusted'; tries += 1) await delay(25)
      assert.equal(await clockState(), 'doubted')
      assertDoubted(await examine())
      assert.equal(await clockState(), 'doubted')
      assert.deepEqual(statesOf(await examine('--accept-clock')), ['ok', 'ok', 'ok'])
      assert.equal(await clockState(), 'trusted')
      assert.deepEqual(statesOf(await examine()), ['ok', 'ok', 'ok'])
    } finally {
      await service.stop()
    }
    assert.deepEqual(statesOf(await examine()), ['skipped', 'ok', 'ok'])
  })
})
