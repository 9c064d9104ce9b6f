// A scripted model is careless with a documentation site, and the checks of the whole service find it before it is
// published.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { EventResponse } from '../../src/jobs/events/events.ts'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import { runCommand } from '../support/command.ts'
import { docsSite } from '../support/docs-sites.ts'
import type { Scripted } from '../support/model-server.ts'
import { branches, git, pushAsPerson } from '../support/repository.ts'
import { edit, finish, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'

const site = docsSite('mintlify')
const [deploy, teams, api] = ['guides/deploy', 'guides/teams', 'reference/api'].map((name) => site.page(name)) as [
  string,
  string,
  string,
]
const oldFault = '\n[Old](/old-fault)\n'

let service: ScriptedService
before(async () => {
  const files = { ...site.files, [teams]: `${site.files[teams]}${oldFault}` }
  service = await startScriptedService({}, {}, files)
})
after(() => service.close())

async function configure(checks: object | null): Promise<void> {
  const operator = openSocketApi(parseConfig(service.running.environment))
  await operator.send('PATCH', `/v1/projects/${service.client.projectId}`, { checks })
}

/** Plays the responses in a new job, and returns it when it has ended. */
async function play(...answers: readonly Scripted[]) {
  service.play(...answers)
  const { id } = await service.client.create('Improve the guides')
  return { job: await service.client.ended(id), review: () => reviewOf(id), body: () => bodyOf(id) }
}

function reviewOf(id: string): Promise<ReviewResponse> {
  return service.client.call('GET', `/v2/agent/${service.client.projectId}/job/${id}/checks`)
}

async function bodyOf(id: string): Promise<string> {
  return (await service.client.pulls()).find(({ jobId }) => jobId === id)?.body ?? ''
}

async function eventsOf(id: string): Promise<readonly EventResponse[]> {
  const path = `/v2/agent/${service.client.projectId}/job/${id}/events.json?limit=1000`
  return (await service.client.call<{ events: EventResponse[] }>('GET', path)).events
}

function introducedIn({ findings }: ReviewResponse): readonly string[] {
  return findings.filter(({ state }) => state === 'introduced').map(({ kind, path }) => `${kind} ${path}`)
}

test('a careless change is refused twice, and then nothing of it is published', async () => {
  const before = await branches(service.repository)
  const careless = {
    calls: [
      edit('docs.json', '"theme": "mint",', '"theme": "mint"'),
      edit(teams, 'title: guides/teams', 'title: "Teams'),
      edit(deploy, '# guides/deploy', '# guides/deploy\n\n<Card>{'),
      edit(api, '## Begin', '## Start\n\n[Gone](/gone) [Anchor](/install#nowhere) ![No](/images/no.png)'),
      write('openapi.json', (site.files['openapi.json'] ?? '').replace('responses/Plants"', 'responses/Trees"')),
    ].flatMap(({ calls = [] }) => calls),
  }
  const { job, review } = await play(careless, finish, finish, finish)
  assert.equal(job.status, 'failed')
  assert.equal(job.error?.code, 'checks_failed')
  assert.match(job.error.message, /^Nothing was published: docs\.json line 3 .*--check-block never/)
  assert.deepEqual(await branches(service.repository), before)
  assert.equal(job.prLink, null)
  const found = introducedIn(await review())
  for (const one of [
    'config docs.json',
    `frontmatter ${teams}`,
    `mdx ${deploy}`,
    `link ${api}`,
    `anchor ${api}`,
    `image ${api}`,
    'reference openapi.json',
  ])
    assert.ok(found.includes(one), `${one} in ${found.join(', ')}`)
  assert.equal(job.checks?.introduced, found.length)
  assert.match(await service.client.diff(job.id), /<Card>\{/, 'the edits stay')
  const shown = JSON.stringify(service.model.requests.at(-1))
  assert.match(shown, /Not finished: your changes bring \d+ new problems into the documentation/)
  assert.match(shown, /reference\/api\.mdx:\d+: link: links to \/gone, which does not exist/)
})

test('a wrong link that remains makes the pull request begin with it', async () => {
  const { job, body } = await play(edit(deploy, '## Begin', '## Begin\n\n[Gone](/gone)'), finish, finish, finish)
  assert.equal(job.outcome, 'pull_request')
  assert.deepEqual(job.checks, { introduced: 1, fixed: 0, remaining: 1, judgedAll: true })
  assert.match(
    await body(),
    /^\*\*This change brings a new problem into the documentation:\*\*\n\n- `guides\/deploy\.mdx line 12 links to \/gone, which does not exist`\n\nA summary\./,
  )
})

test('a problem that the model repairs leaves no trace in the pull request', async () => {
  const { job, body } = await play(
    edit(deploy, '## Begin', '## Begin\n\n[Gone](/gone)'),
    finish,
    edit(deploy, '(/gone)', '(/install)'),
    finish,
  )
  assert.deepEqual(job.checks, { introduced: 0, fixed: 0, remaining: 1, judgedAll: true })
  assert.match(await body(), /^A summary\./)
  const phases = (await eventsOf(job.id)).flatMap((event) => (event.type === 'phase' ? [event.phase] : []))
  assert.deepEqual(phases, ['preparing', 'editing', 'checking', 'editing', 'checking', 'publishing'])
})

test('an edit above an old fault does not make it new, and its repair counts', async () => {
  const above = await play(edit(teams, '## Begin', '## Begin\n\nA new paragraph.'), finish)
  assert.deepEqual(above.job.checks, { introduced: 0, fixed: 0, remaining: 1, judgedAll: true })
  const repaired = await play(edit(teams, '/old-fault', '/install'), finish)
  assert.deepEqual(repaired.job.checks, { introduced: 0, fixed: 1, remaining: 0, judgedAll: true })
  // Each worker has a mirror, and its facts beside it for the first check after a restart.
  const folders = service.running.dataDirs
  const files = folders.flatMap((folder) =>
    globSync('**/*.git/docent-facts', { cwd: folder }).map((name) => join(folder, name)),
  )
  assert.ok(files.length > 0)
  for (const file of files) assert.ok(readFileSync(file, 'utf8').split(' mdx ').length > 12, file)
})

test('the settings of the project decide what fails and what is ignored', async (t) => {
  t.after(() => configure(null))
  const wrong = edit(deploy, '## Begin', '## Begin\n\n[Gone](/gone)')
  await configure({ block: 'all' })
  const all = await play(wrong, finish, finish, finish)
  assert.equal(all.job.error?.code, 'checks_failed')
  await configure({ block: 'never' })
  const never = await play(edit(teams, 'title: guides/teams', 'title: "Teams'), finish, finish, finish)
  assert.equal(never.job.outcome, 'pull_request')
  assert.match(await never.body(), /^\*\*This change brings a new problem.*\n\n- `guides\/teams\.mdx line \d/)
  await configure({ block: null, ignore: [{ kind: 'link', path: 'guides' }] })
  const ignored = await play(wrong, finish)
  assert.deepEqual(ignored.job.checks, { introduced: 0, fixed: 0, remaining: 0, judgedAll: true })
  assert.equal((await ignored.review()).ignored, 1)
})

test('problems of a person and of the base are not those of the agent', async () => {
  const { client, repository } = service
  const { job, review, body } = await play(
    edit(deploy, '## Begin', '## Begin\n\n[Gone](/gone)'),
    finish,
    finish,
    finish,
  )
  const branch = job.source.ref ?? ''
  pushAsPerson(repository, 'main', { [api]: `${site.files[api]}\n[Base](/base-fault)\n` })
  pushAsPerson(repository, branch, { [site.page('install')]: '---\ntitle: "Mine\n---\n' })
  await mergeAsPerson(repository, branch)
  service.play(edit(deploy, '(/gone)', '(/install)'), finish)
  await client.message(job.id, 'Repair the link')
  const ended = await client.ended(job.id)
  assert.equal(ended.error, null, 'a page that a person broke does not block')
  const { findings, introduced } = await review()
  const mine = findings.filter(({ state }) => state === 'introduced')
  assert.ok(mine.length > 0 && mine.every(({ byPerson }) => byPerson), JSON.stringify(mine))
  assert.equal(introduced, mine.length)
  assert.ok(findings.some(({ path, state }) => path === api && state === 'remaining'))
  assert.doesNotMatch(await body(), /^\*\*This change brings/)
})

/** Merges `main` into a branch, as the button of a forge does. */
async function mergeAsPerson(bare: string, branch: string): Promise<void> {
  const work = `${bare}-merge`
  await git(dirname(bare), 'clone', '--quiet', '--branch', branch, bare, work)
  await git(work, 'merge', '--quiet', '--no-edit', 'origin/main')
  await git(work, 'push', '--quiet', 'origin', branch)
  await rm(work, { recursive: true })
}

test('the command line prints what a job brought', async () => {
  const { job } = await play(edit(deploy, '## Begin', '## Begin\n\n[Gone](/gone)'), finish, finish, finish)
  const run = (...more: readonly string[]) =>
    runCommand(['job', 'checks', job.id, ...more], service.running.environment)
  const shown = await run()
  assert.equal(shown.code, 5)
  assert.match(shown.stdout, /^guides\/deploy\.mdx\n {2}12 {2}wrong {5}links to \/gone, which does not exist {2}link\n/)
  assert.match(shown.stdout, /^New: 1\. Fixed: 0\. In the base already: \d+\.$/m)
  assert.equal(shown.stderr, 'docent: 1 new problem.\n')
  assert.equal((JSON.parse((await run('--json')).stdout) as ReviewResponse).introduced, 1)
  assert.match((await run('--sarif')).stdout, /"ruleId": ?"link"/)
})
