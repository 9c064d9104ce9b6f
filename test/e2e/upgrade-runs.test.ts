// A data directory of revision f5f9613, the last one whose runs began with the transcripts of the runs before, is opened by
// this one, with a run in progress: it continues where it was. Its failed job gets a digest, and its kept edits are
// published. `make.sh` beside the data says how that revision made it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TranscriptPage } from '../../src/jobs/transcript/read.ts'
import { openEmbedded } from '../../src/postgres/embedded.ts'
import { assertHolds, type DataService, type Row, serveData, unpackData } from '../support/data-directory.ts'
import { countAnswers, type ModelServer, type Scripted, startModelServer } from '../support/model-server.ts'
import { type Client, connect } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

/** The responses of that revision about its data, right before it was killed. */
type Recorded = Readonly<Record<'project' | 'running' | 'kept' | 'key', string>> & {
  readonly jobs: { readonly jobs: readonly Row[] }
  readonly pulls: { readonly pulls: readonly Row[] }
}

const fixture = fileURLToPath(new URL('../fixtures/data-f5f9613/', import.meta.url))
const then = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Recorded
const digest = 'This job had earlier runs'

let folder: string
let model: ModelServer
let service: DataService
let client: Client
before(async () => {
  folder = await temporaryFolder('upgrade')
  const dataDir = await unpackData(fixture, folder)
  await placeRepository(dataDir)
  model = await startModelServer((messages) => {
    const text = JSON.stringify(messages)
    return text.includes('Explain how to deploy')
      ? report('Explain the deployment')
      : report('Explain login and logout')
  })
  const settings = { DOCENT_MODEL: 'compatible/scripted', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl }
  service = await serveData(dataDir, folder, settings)
  client = connect({ addresses: [service.address], projectId: then.project, key: then.key, send: fetch })
})
after(async () => {
  await service?.stop()
  await model?.close()
  await removeFolder(folder)
})

function report(title: string): Scripted {
  return { calls: [{ name: 'finish', input: { title, summary: 'Two pages.' } }] }
}

/** The run continues as soon as the service starts, so its repository must be there before. */
async function placeRepository(dataDir: string): Promise<void> {
  const repository = join(folder, 'docs.git')
  await promisify(execFile)('git', ['clone', '--quiet', '--mirror', join(fixture, 'docs.bundle'), repository])
  const postgres = await openEmbedded(join(dataDir, 'postgres'))
  await postgres.db
    .updateTable('projects')
    // The model of that revision is not asked about names that nothing has.
    .set({ repository: `file://${repository}`, checks: JSON.stringify({ grounding: 'off' }) })
    .execute()
  await postgres.close()
}

/** The requests about a job that began with `prompt`. */
function requestsOf(prompt: string) {
  return model.requests.filter((messages) => JSON.stringify(messages).includes(prompt))
}

const isKept = ({ id }: Row) => id === then.kept

async function readTurns(jobId: string): Promise<TranscriptPage['turns']> {
  const path = `/v2/agent/${then.project}/job/${jobId}/turns`
  return (await client.call<TranscriptPage>('GET', path)).turns
}

test('a run in progress of that revision continues with its transcripts, undigested', async () => {
  const job = await client.ended(then.running)
  assert.deepEqual([job.status, job.outcome, job.error], ['completed', 'pull_request', null])
  const [request = [], ...more] = requestsOf('Explain how to log in')
  assert.equal(more.length, 0)
  assert.equal(countAnswers(request), 3)
  const sent = JSON.stringify(request)
  assert.match(sent, /First the login\.[^]*A page about the login\.[^]*And how to log out[^]*Now the logout\./)
  assert.ok(!sent.includes(digest), sent)
  assert.equal(job.usage.turns, 4)
  const [before] = then.pulls.pulls
  const [pull] = await client.pulls()
  assert.deepEqual([pull?.number, pull?.link, pull?.state], [before?.['number'], before?.['link'], 'open'])
  assert.deepEqual([pull?.title, pull?.body], ['Explain login and logout', 'Two pages.'])
  assert.notEqual(pull?.headCommit, before?.['headCommit'])
  assert.match(await client.diff(then.running), /login\.md[^]*logout\.md/)
})

test('a failed job of that revision goes on with a digest, and its edits are published', async () => {
  const { jobs } = await client.call<{ jobs: readonly Row[] }>('GET', `/v2/agent/${then.project}/jobs?limit=100`)
  assertHolds(jobs.filter(isKept), then.jobs.jobs.filter(isKept))
  await client.message(then.kept, 'Go on')
  const job = await client.ended(then.kept)
  assert.deepEqual([job.status, job.outcome, job.error], ['completed', 'pull_request', null])
  const [request = [], ...more] = requestsOf('Explain how to deploy')
  assert.equal(more.length, 0)
  assert.equal(countAnswers(request), 0)
  const sent = JSON.stringify(request)
  assert.ok(sent.includes(digest) && sent.includes('It failed (budget_exceeded)'), sent)
  assert.match(sent, /It edited 2 files:[^]*guides\/deploy\.md[^]*guides\/rollback\.md/)
  assert.ok(!sent.includes('First the deployment.'), sent)
  assert.match(await client.diff(then.kept), /deploy\.md[^]*rollback\.md/)
})

test('the turns of that revision are readable, each with its edits', async () => {
  const [running, kept] = [await readTurns(then.running), await readTurns(then.kept)]
  const show = ({ run, number, response, edits }: TranscriptPage['turns'][number]) =>
    [run, number, response?.text, ...edits.map(({ path }) => path)] as const
  assert.deepEqual(running.map(show), [
    [1, 1, 'First the login.', 'guides/login.md'],
    [1, 2, ''],
    [2, 1, 'Now the logout.', 'guides/logout.md'],
    [2, 2, ''],
  ])
  assert.deepEqual(kept.map(show), [
    [1, 1, 'First the deployment.', 'guides/deploy.md'],
    [1, 2, 'Now the rollback.', 'guides/rollback.md'],
    [2, 1, ''],
  ])
  assert.deepEqual(
    running[2]?.input.map(({ notice, text }) => notice ?? text),
    ['new_run', 'And how to log out'],
  )
  assert.ok(kept[2]?.input.some(({ notice }) => notice === 'digest'))
})
