// A data directory of revision 342e699, the last one without checks, is opened by this one: its jobs have not been checked,
// its pull request has no facts, and the next run of a job is checked. `make.sh` beside the data says how that revision
// made it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { CheckReview } from '../../src/jobs/review/review.ts'
import { assertHolds, type DataService, type Row, serveData, unpackData } from '../support/data-directory.ts'
import { connect } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

/** The responses of that revision about its data, right before it stopped. */
type Recorded = Readonly<Record<'project' | 'open' | 'key', string>> & {
  readonly jobs: { readonly jobs: readonly Row[] }
  readonly pulls: { readonly pulls: readonly Row[] }
}

const fixture = fileURLToPath(new URL('../fixtures/data-342e699/', import.meta.url))
const then = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Recorded
const jobPath = `/v2/agent/${then.project}/job/${then.open}`

let folder: string
let service: DataService
before(async () => {
  folder = await temporaryFolder('upgrade')
  service = await serveData(await unpackData(fixture, folder), folder)
  const repository = join(folder, 'docs.git')
  await promisify(execFile)('git', ['clone', '--quiet', '--mirror', join(fixture, 'docs.bundle'), repository])
  const operator = openSocketApi(parseConfig({ DOCENT_DATA_DIR: join(folder, 'data') }))
  await operator.send('PATCH', `/v1/projects/${then.project}`, { repository })
})
after(async () => {
  await service?.stop()
  await removeFolder(folder)
})

function client() {
  return connect({ addresses: [service.address], projectId: then.project, key: then.key, send: fetch })
}

/** Without the change. */
async function readPage(): Promise<string> {
  const [pull] = await client().pulls()
  const { pathname } = new URL(pull?.link ?? '')
  const page = await (await fetch(`${service.address}${pathname}`)).text()
  return page.slice(page.indexOf('</header>'), page.indexOf('<nav'))
}

test('jobs of a revision without checks are as they were, and were not checked', async () => {
  const { jobs } = await client().call<{ jobs: readonly Row[] }>('GET', `/v2/agent/${then.project}/jobs?limit=100`)
  assertHolds(jobs, then.jobs.jobs)
  assert.deepEqual(
    jobs.map(({ checks }) => checks),
    [null, null],
  )
  const refused = await client().call<{ code: string }>('GET', `${jobPath}/checks`, undefined, 404)
  assert.equal(refused.code, 'not_found')
  assertHolds(await client().pulls(), then.pulls.pulls)
  const page = await readPage()
  assert.match(page, /<section aria-label="Description" class="text"><ul>\n<li>Replaced/)
  assert.doesNotMatch(page, /aria-label="Facts"/)
})

test('a follow-up to such a job is checked, and its pull request gets facts', async () => {
  await client().message(then.open, 'Set the description of guides/secrets.mdx to "Keep secrets secret"')
  const job = await client().ended(then.open)
  assert.deepEqual([job.status, job.outcome, job.error], ['completed', 'pull_request', null])
  const checks = await client().call<CheckReview>('GET', `${jobPath}/checks`)
  const { introduced, fixed, remaining, coverage } = checks
  assert.deepEqual(job.checks, { introduced, fixed, remaining, judgedAll: coverage.notJudged.length === 0 })
  assert.equal(introduced, 0)
  assert.ok(checks.findings.some(({ state, kind }) => state === 'remaining' && kind === 'link'))
  const page = await readPage()
  assert.match(page, /Rename (?:&#34;|&quot;|&#x22;|")Acme CLI.*\n.*Set the description of/)
  assert.match(
    page,
    /<strong>Checks:<\/strong> 0 new problems in what could be judged \(1 of \d+ not judged\), 0 no longer found, \d+ remaining/,
  )
})
