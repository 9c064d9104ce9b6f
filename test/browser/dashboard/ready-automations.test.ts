// Ready-made automations that need a language model: a merge of the product becomes a pull request, and a person sees whether readers still
// fail on the pages that a run was given.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ShownAutomation } from '../../../src/http/resources/automations/schemas.ts'
import type { AutomationRun } from '../../../src/automations/runs/run.ts'
import { type Connected, connectForge } from '../../support/forge/connected-service.ts'
import { startForge, type TestForge } from '../../support/forge/forge.ts'
import { type ServedRepository, servedRepository } from '../../support/git-source.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { edit, finish as finished, write } from '../../support/scripted.ts'
import { assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'

const docs = { 'client.md': '# Client\n\nCall `createClient` with `retryLimit`, and stop it with `closeClient`.\n' }
const code = (parameters: string) => ({ 'src/client.ts': `export function createClient(${parameters}) {}\n` })
const summary = 'Describes `retryDelay` (#7).'
const finish = {
  calls: [
    {
      name: 'finish',
      input: {
        title: 'Describe retryDelay',
        summary,
        sources: [{ page: 'client.md', source: '@product/src/client.ts:1' }],
      },
    },
  ],
}

suite('ready-made automations with a language model, in the dashboard', () => {
  const cleanups: (() => unknown)[] = []
  let t: Dashboard
  let model: ModelServer
  let forge: TestForge
  let product: ServedRepository
  let connected: Connected
  before(async () => {
    const cleanup = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) }
    forge = await startForge(cleanup, { kind: 'gitea', files: docs })
    product = await servedRepository(cleanup, code('retryLimit = 3'))
    model = await startModelServer(() => ({ text: 'unscripted' }))
    t = await openDashboard(
      { 'index.md': '# Home\n' },
      {
        DOCENT_MODEL: 'compatible/scripted',
        DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
        DOCENT_PRIVATE_REPOSITORY_HOSTS: [forge.host, product.server.host].join(),
      },
    )
    connected = await connectForge({ running: { environment: t.environment, addresses: [t.address] } }, forge)
  })
  after(async () => {
    await t.close()
    await model.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  test('from a connected repository to the first pull request within six clicks', async (context) => {
    const answers = [edit('client.md', '`retryLimit`', '`retryLimit` and `retryDelay`'), finish]
    model.script = () => answers.shift() ?? { calls: [{ name: 'finish', input: { noChange: 'All is well.' } }] }
    const page = await t.open('/')
    const id = await findProject(page, ({ repository }) => repository === forge.repository)
    await page.goto(`${t.address}/projects/${id}`)
    // Those of a mouse, however the test makes them.
    await page.evaluate(`(() => { window.clicks = 0; addEventListener('pointerdown', () => window.clicks++, true) })()`)
    await page.getByRole('link', { name: 'Automations' }).click()
    const card = page.getByRole('region', { name: 'Ready-made' }).getByRole('listitem', {
      name: 'Update from code changes',
    })
    await card.getByRole('link', { name: 'Add a source' }).click()
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Repository').fill(product.server.address)
    await page.getByLabel('Name').fill('product')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'product' }).getByText('Read the repository: yes').waitFor()
    await page.getByRole('link', { name: 'Automations' }).click()
    await card.getByRole('button', { name: 'Turn on Update from code changes' }).click()
    await page.getByRole('heading', { name: 'Update from code changes', level: 1 }).waitFor()
    await page.getByText('When code of product is merged').waitFor()

    const { automations } = await connected.client.call<{ readonly automations: readonly ShownAutomation[] }>(
      'GET',
      `/v1/projects/${id}/automations`,
    )
    const path = `/v1/projects/${id}/automations/${automations[0]?.id}`
    while ((await connected.client.call<ShownAutomation>('GET', path)).position?.commit == null) await delay(100)
    product.remote.commit('main', code('retryLimit = 3, retryDelay = 10'), 'Add `retryDelay` to createClient (#7)')
    const runs = page.getByRole('table', { name: 'Runs' })
    // The branch is read every minute.
    await runs.getByText('Review needed').waitFor({ timeout: 240_000 })
    const link = await runs.getByRole('link', { name: 'Pull request' }).getAttribute('href')
    const clicks = await page.evaluate<number>('window.clicks')
    context.diagnostic(`${clicks} clicks`)
    assert.ok(clicks > 0 && clicks <= 6, `${clicks} clicks`)
    await assertBothThemes(page, 'a run that code started')
    const [pull] = forge.pulls
    assert.equal(link, `${forge.web}/acme/docs/pulls/${pull?.number}`)
    assert.equal(pull?.title, 'Update from code changes: Describe retryDelay')
    assert.match(pull.body, /Commits: `\S+ [0-9a-f]{12}\.\.[0-9a-f]{12}`/)
    assert.match(pull.body, /Sources that the agent named:\*\*\n\n- `client\.md`: .*`@product\/src\/client\.ts:1`/)
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('with several sources, the gallery asks which one', async () => {
    const page = await t.open('/')
    const project = t.client.projectId
    const { request } = t.chromium.context
    for (const name of ['api', 'core']) {
      const data = { name, repository: product.server.address }
      const headers = { Origin: t.address }
      const made = await request.post(`${t.address}/v1/projects/${project}/sources`, { data, headers })
      assert.equal(made.status(), 201, await made.text())
    }
    await page.goto(`${t.address}/projects/${project}/automations`)
    await page.getByLabel('Code of Update from code changes').selectOption('core')
    await assertBothThemes(page, 'a choice of sources')
    await page.getByRole('button', { name: 'Turn on Update from code changes' }).click()
    await page.getByText('When code of core is merged').waitFor()
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('the runs show whether readers still fail on the pages that they were given', async () => {
    const project = `/v1/projects/${t.client.projectId}`
    const { request } = t.chromium.context
    const asAda = async <T>(path: string, data: object) => {
      const made = await request.post(`${t.address}${project}${path}`, { data, headers: { Origin: t.address } })
      assert.equal(made.status(), 201, await made.text())
      return (await made.json()) as T
    }
    await asAda('/sites', { name: 'Docs', origins: ['https://docs.acme.test'] })
    const views = [1, 2, 3].flatMap((day) =>
      Array.from({ length: 10 }, (_, n) => ({
        id: `${day}-${n}`,
        timestamp: Date.now() - day * 86_400_000,
        url: 'https://docs.acme.test/old-page',
        status: 404,
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        address: `192.0.2.${n}`,
      })),
    )
    await t.client.call('POST', `/v1/analytics/${t.client.projectId}/page-views`, views)
    const { id } = await asAda<ShownAutomation>('/automations', { kind: 'failing-pages' })
    const answers = [write('old-page.md', '# Old page\n\nIt is back.\n'), finished]
    model.script = () => answers.shift() ?? { calls: [{ name: 'finish', input: { noChange: 'All is well.' } }] }
    const run = await t.client.call<AutomationRun>('POST', `${project}/automations/${id}/run`)
    await t.client.ended(run.jobId ?? '')
    const [pull] = await t.client.pulls()
    await t.client.call('POST', `${project}/pulls/${pull?.number}/merge`)

    const page = await t.open(`/projects/${t.client.projectId}/automations/${id}`)
    const runs = page.getByRole('table', { name: 'Runs' })
    await runs.getByText('Accepted').waitFor()
    await runs.getByText('1 page that failed').click()
    await runs.getByText('It needs 3 more days since the merge.').waitFor()
    await runs.getByText('/old-page', { exact: true }).waitFor()
    await runs.getByText('10 visitors in the 7 days before, 0 since (0 days)').waitFor()
    await assertBothThemes(page, 'what became of failing pages')
    assert.deepEqual(t.reports(), [])
    await page.close()
  })
})
