// Processes on one PostgreSQL server whose settings differ say so when they start and in `docent doctor`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { createLog, type Log } from '../../src/lib/observability/log.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { joinProcesses } from '../../src/service/processes/processes.ts'
import { runCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'

async function findingsOf(environment: Environment): Promise<readonly Finding[]> {
  const { stdout } = await runCommand(['doctor', '--json', '--no-model'], environment)
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  return findings.filter(({ about }) => about === 'processes')
}

test('a process that starts with other settings says which, and doctor names it', async (t) => {
  const running = await startService({ 'index.md': '# A\n' })
  t.after(() => running.close())
  const { environment } = running
  const [same] = await findingsOf(environment)
  assert.equal(same?.state, 'ok')
  assert.match(same.says, /^4 at work with the same settings: server on .*worker on /)

  const place = { kind: 'server', url: environment['DATABASE_URL'] ?? '', connections: 2 } as const
  const postgres = await openPostgres({ ...place, log: createLog('silent') })
  t.after(() => postgres.close())
  const config = parseConfig({ ...environment, DOCENT_MODEL: 'compatible/other', DOCENT_CREATES_PER_HOUR: '7' })
  const said: string[] = []
  const warn = ((_: object, words: string) => void said.push(words)) as Log['warn']
  const log = { ...createLog('silent'), warn }
  const options = {
    db: postgres.db,
    config,
    role: 'worker',
    clock: systemClock,
    log,
    publicUrl: 'https://other.example',
  } as const
  const leave = await joinProcesses(options)
  assert.equal(said.length, 4)
  for (const words of said) {
    assert.match(words, /DOCENT_PUBLIC_URL is "https:\/\/other\.example" here and "http:/)
    assert.match(words, /DOCENT_MODEL is "compatible\/other" here and "docent\/rules" there/)
    assert.match(words, /DOCENT_CREATES_PER_HOUR is 7 here and 100000 there/)
    assert.doesNotMatch(words, /DOCENT_MAX_TURNS/)
  }
  const [differs, ...others] = await findingsOf(environment)
  assert.deepEqual([differs?.state, others], ['warning', []])
  assert.match(differs?.says ?? '', /DOCENT_MODEL is "docent\/rules" here and "compatible\/other" there/)
  await leave()
  assert.equal((await findingsOf(environment))[0]?.state, 'ok')
})
