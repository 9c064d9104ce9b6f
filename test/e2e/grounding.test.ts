// A scripted model invents names: it is asked once, and the job, the pull request and the setting say what becomes of them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import { runCommand } from '../support/command.ts'
import type { Scripted } from '../support/model-server.ts'
import { edit, finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'

const files = {
  'docs/serve.md': '# Serve\n\nRun `acme serve --watch`.\n',
  'src/flags.ts': 'export const flags = {\n  watch: false,\n  maxLines: 30,\n}\n',
}
const invented = edit(
  'docs/serve.md',
  'Run `acme serve --watch`.',
  'Run `acme serve --watch`. `flags.maxLines` is `40`, and `--invented-flag` changes it.',
)

let service: ScriptedService
before(async () => {
  service = await startScriptedService({}, {}, files)
})
after(() => service.close())

async function configure(grounding: 'show' | 'draft' | 'off'): Promise<void> {
  const operator = openSocketApi(parseConfig(service.running.environment))
  await operator.send('PATCH', `/v1/projects/${service.client.projectId}`, { checks: { grounding } })
}

async function play(...answers: readonly Scripted[]) {
  service.play(...answers)
  const { id } = await service.client.create('Describe the flags')
  const job = await service.client.ended(id)
  const review = await service.client.call<ReviewResponse>(
    'GET',
    `/v2/agent/${service.client.projectId}/job/${id}/checks`,
  )
  const path = `/v1/projects/${service.client.projectId}/pulls/${job.pullRequest?.number ?? 0}`
  const { note } = await service.client.call<{ note: string }>('GET', path)
  // The page of the pull request is the only place that shows them.
  const html = await (await fetch(job.prLink ?? '')).text()
  const facts = html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')
  return { job, review, note, facts }
}

const missing = [
  { path: 'docs/serve.md', line: 3, term: '40' },
  { path: 'docs/serve.md', line: 3, term: '--invented-flag' },
]

test('invented names are reported once, and listed where they stay', async () => {
  const { job, review, facts } = await play(invented, finish, finish)
  assert.deepEqual([job.status, job.pullRequest?.draft], ['completed', false])
  assert.deepEqual(review.ungrounded, missing)
  assert.equal(review.grounding?.missing, 2)
  assert.match(facts, /Not found in the sources: ?40 in docs\/serve\.md line 3 ?--invented-flag in/)
  const told = await service.client.call<{ turns: unknown[] }>(
    'GET',
    `/v2/agent/${service.client.projectId}/job/${job.id}/turns`,
  )
  assert.equal(JSON.stringify(told).match(/Not finished: your changes have names or values/g)?.length, 1)
  const shown = await runCommand(['job', 'checks', job.id], service.running.environment)
  const sarif = await runCommand(['job', 'checks', job.id, '--sarif'], service.running.environment)
  const [log] = JSON.parse(sarif.stdout).runs
  assert.deepEqual(
    log.results.map(({ ruleId, level }: { ruleId: string; level: string }) => `${level} ${ruleId}`),
    ['note ungrounded', 'note ungrounded'],
  )
  assert.match(
    shown.stdout,
    /^docs\/serve\.md\n(?: .*\n)* {2}3 {2}unknown {3}--invented-flag is not found in the sources/m,
  )
})

test('with the setting draft, the pull request is a draft that says so first', async () => {
  await configure('draft')
  const { job, note } = await play(invented, finish, finish)
  assert.equal(job.pullRequest?.draft, true)
  assert.match(note, /^\*\*This change has names or values that were not found in the sources\.\*\*/)
})

test('with the setting off, nothing is looked up or told', async () => {
  await configure('off')
  const { job, review, facts } = await play(invented, finish)
  assert.equal(job.status, 'completed')
  assert.deepEqual([review.ungrounded, review.grounding], [[], null])
  assert.doesNotMatch(facts, /Not found in the sources/)
})

test('places that the agent names as sources are verified', async () => {
  await configure('show')
  const sources = ['src/flags.ts:2-3', 'src/flags.ts:2-30', '@api/src/a.ts'].map((source) => ({
    page: 'docs/serve.md',
    source,
  }))
  const input = { title: 'Describe the flags', summary: 'Names them.', sources }
  const named = edit('docs/serve.md', '--watch`.', '--watch`. See `flags.maxLines`.')
  const { facts } = await play(named, { calls: [{ name: 'finish', input }] })
  assert.match(facts, /Sources that the agent named: ?docs\/serve\.md: src\/flags\.ts:2-3 /)
  assert.match(facts, /Named sources that do not exist: 2/)
})
