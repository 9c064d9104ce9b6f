// Who is asked to review what an automation writes about code: the people whose pull requests brought the code, over loopback
// forges with real repositories.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunPage } from '../../src/automations/runs/list.ts'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import { edit, finish } from '../support/scripted.ts'

const kinds = ['github', 'gitlab', 'gitea'] as const
/** The first three have the product in the repository of its documentation: a loopback forge has one repository. */
const names = [...kinds, 'docs', 'code', 'failing'] as const
const kindOf = (name: (typeof names)[number]) => kinds.find((kind) => kind === name) ?? 'gitea'
const files = {
  'docs/client.md': '# Client\n\nCall `createClient` with `retryLimit`, and stop it with `closeClient`.\n',
  'src/client.ts': 'export function createClient(retryLimit = 3) {}\n',
}
let service: ForgeService<(typeof names)[number]>
before(async () => {
  service = await startWithForges(names.map((name) => [name, { kind: kindOf(name), files }]))
  service.play(edit('docs/client.md', '`retryLimit`', '`retryLimit` and a delay'), finish)
})
after(() => service.close())

const forgeOf = (name: (typeof names)[number]): TestForge => service.forges.get(name) ?? assert.fail(name)

/** Merges a pull request of each author, in this order. Returns the commit before them. */
function mergeAs(forge: TestForge, authors: readonly string[]): string {
  const start = forge.remote.head('main') ?? ''
  authors.forEach((author, at) => {
    const code = `export function createClient(retryLimit = ${at + 4}, retryDelay${at} = 10) {}\n`
    forge.push(`feature-${at}`, { 'src/client.ts': code }, 'Add an option to createClient')
    forge.merge(forge.openAs(`feature-${at}`, author).number, at % 2 === 0 ? 'squash' : 'merge')
  })
  return start
}

type Project = Awaited<ReturnType<typeof connectForge>>

/** A run of an automation that follows the source from the commit on. */
async function runSince({ client, send }: Project, since: string): Promise<AutomationRun> {
  const body = { name: 'Follow', trigger: { type: 'code', source: 'api' }, instructions: 'Update it.', since }
  const { id } = (await send('POST', '/automations', body)) as ShownAutomation
  for (;;) {
    const { runs } = await client.call<RunPage>('GET', `/v1/projects/${client.projectId}/automations/${id}/runs`)
    const [run] = runs
    if (run?.jobId != null && run.endedAt !== null) return run
    await delay(100)
  }
}

async function addSource({ send }: Project, forge: TestForge): Promise<void> {
  await send('POST', '/sources', { name: 'api', repository: forge.repository })
  const token = forge.createToken({ rights: ['read'] }).value
  await send('PUT', '/sources/api/credential', { forge: forge.kind, token })
}

/** `reviewers`: of the settings. The forges know few people as reviewers, and refuse the others. */
const cases = {
  github: { own: 'ada', bot: 'renovate[bot]', reviewers: [], people: ['edsger1', 'barbara2', 'docs-bot', 'grace'] },
  gitlab: { own: 'docent-token', bot: 'project_7_bot_ab', reviewers: ['grace'], people: ['ada'] },
  gitea: { own: 'docent-token', bot: 'mallory8', reviewers: ['ada'], people: ['edsger1', 'barbara2', 'grace'] },
} as const
const expected = {
  github: { reviewers: ['grace'], others: ['edsger1'] },
  gitlab: { reviewers: ['grace', 'ada'], others: [] },
  gitea: { reviewers: ['ada', 'grace'], others: ['edsger1'] },
} as const

suite('reviewers of what an automation writes about code', { concurrency: true }, () => {
  for (const kind of kinds) {
    test(`the authors of the code are asked for a review on ${kind}`, async () => {
      const forge = forgeOf(kind)
      const { own, bot, reviewers, people } = cases[kind]
      for (const writer of people) forge.remarks.writers.add(writer)
      const start = mergeAs(forge, [own, bot, ...people, 'mallory9'])
      const project = await connectForge(service, forge)
      await project.send('PATCH', '', { pullRequest: { reviewers } })
      await addSource(project, forge)
      const run = await runSince(project, start)
      assert.equal(run.status, 'review_needed', run.reason ?? '')
      const pull = forge.pulls.at(-1) ?? assert.fail('there is a pull request')
      const { others, reviewers: asked } = expected[kind]
      assert.deepEqual(pull.reviewers, asked)
      // Nobody named the authors that the forge refused, so nobody is warned about them.
      const { result } = await project.client.job(run.jobId ?? '')
      assert.doesNotMatch(result?.text ?? 'no result', /did not ask|no result/)
      for (const author of [own, bot, ...people, 'mallory9'])
        assert.match(
          pull.body,
          new RegExp(`\n- \\[\`acme/docs#\\d\`\\]\\(${forge.web}/[^)]+\\) by \`${author.replaceAll(/[[\]]/g, '.')}\``),
        )
      const named = /\*\*They wrote code, too, [^\n]*\n\n((?:- .*\n)+)/.exec(pull.body)?.[1] ?? ''
      assert.deepEqual(named.match(/\w+/g) ?? [], others)
      assert.doesNotMatch(pull.body.replaceAll(/`[^`]*`/g, ''), /@/)
      const asking = forge.requests.filter(({ route }) =>
        /commits\/:(?:commit_)?sha\/(?:pulls?|merge_requests)$/.test(route),
      )
      assert.equal(asking.length, people.length + 3)
    })
  }

  test('the authors of another host are named, and nobody is asked', async () => {
    const code = forgeOf('code')
    code.remarks.writers.add('grace')
    const start = mergeAs(code, ['grace'])
    const project = await connectForge(service, forgeOf('docs'))
    await addSource(project, code)
    await runSince(project, start)
    const pull = forgeOf('docs').pulls.at(-1) ?? assert.fail('there is a pull request')
    assert.deepEqual(pull.reviewers, [])
    assert.match(pull.body, /\n- \[`acme\/docs#1`\]\(\S+\) by `grace`\n/)
  })

  test('a host that does not show them fails no run, and the pull request says so', async () => {
    const code = forgeOf('failing')
    const start = mergeAs(code, ['ada'])
    const project = await connectForge(service, code)
    await addSource(project, code)
    code.fault = ({ route }) =>
      route.endsWith('/commits/:sha/pull') ? { kind: 'answer after', status: 500, body: '' } : undefined
    const run = await runSince(project, start)
    assert.equal(run.status, 'review_needed', run.reason ?? '')
    const pull = code.pulls.at(-1) ?? assert.fail('there is a pull request')
    assert.deepEqual(pull.reviewers, [])
    assert.match(pull.body, /\n\*\*Pull requests of the code that could not be read:\*\* `.+`\n/)
  })
})
