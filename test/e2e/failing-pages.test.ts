// Pages that readers fail on: a run is given them, its change is merged, and people see whether the failures have stopped.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunFailures } from '../../src/automations/runs/pages/failures.ts'
import type { RunPage } from '../../src/automations/runs/list.ts'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { runCommand } from '../support/command.ts'
import { finish, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'

let service: ScriptedService
before(async () => (service = await startScriptedService()))
after(() => service.close())

const dayMs = 86_400_000
const origin = 'https://docs.acme.test'

/** Ten visitors ask for the page on each of these days, and do not get it. */
function lostOn(path: string, days: readonly number[]): readonly object[] {
  return days.flatMap((day) =>
    Array.from({ length: 10 }, (_, n) => ({
      id: `${path}-${day}-${n}`,
      timestamp: Date.now() - day * dayMs,
      url: `${origin}${path}`,
      status: 404,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      address: `192.0.2.${n}`,
    })),
  )
}

test('a run says which pages it was given, and after the merge what became of them', async () => {
  const { client, running } = service
  const operator = openSocketApi(parseConfig(running.environment))
  const project = `/v1/projects/${client.projectId}`
  const send = async <T>(path: string, body: object) =>
    JSON.parse((await operator.send('POST', `${project}${path}`, body)).body) as T
  await send('/sites', { name: 'Docs', origins: [origin] })
  await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, lostOn('/old-page', [1, 2, 3]))
  const { id, name } = await send<{ id: string; name: string }>('/automations', { kind: 'failing-pages' })

  service.play(write('old-page.md', '# Old page\n\nIt is back.\n'), finish)
  const started = await client.call<AutomationRun>('POST', `${project}/automations/${id}/run`)
  assert.equal((await client.ended(started.jobId ?? '')).outcome, 'pull_request')
  const runs = `${project}/automations/${id}/runs`
  const [run] = (await client.call<RunPage>('GET', runs)).runs
  assert.equal(run?.givenPages, 1)
  const failures = () => client.call<RunFailures>('GET', `${runs}/${run?.id}/failures`)
  const given = { path: '/old-page', given: { visitors: 10, days: 3 }, verdict: 'unknown' } as const
  assert.deepEqual(await failures(), {
    mergedAt: null,
    note: 'The pull request of the run is not merged.',
    pages: [{ ...given, before: null, since: null, text: '10 visitors on 3 days when the run was given it' }],
  })

  const [pull] = await client.pulls()
  await client.call('POST', `${project}/pulls/${pull?.number}/merge`)
  const { mergedAt, ...merged } = await failures()
  assert.ok(Date.parse(mergedAt ?? '') > Date.now() - dayMs)
  const text = '10 visitors in the 7 days before, 0 since (0 days)'
  const counts = { before: { visitors: 10, views: 30 }, since: { visitors: 0, views: 0 } }
  const note = 'It needs 3 more days since the merge.'
  assert.deepEqual(merged, { note, pages: [{ ...given, ...counts, text }] })

  const { code, stdout, stderr } = await runCommand(['automation', 'runs', name, '--failures'], running.environment)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, new RegExp(`Pages that the run ${run?.id} was given, merged .*: ${note}\n  /old-page: `))
  assert.ok(stdout.includes(`  /old-page: ${text}\n`))
  await client.call('GET', `${runs}/aru_${'a'.repeat(20)}/failures`, undefined, 404)
})
