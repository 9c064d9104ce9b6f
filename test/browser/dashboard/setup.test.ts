// The first run and the settings of a project, as a new user goes through them. Clicks and seconds are printed: they are the
// record of two tasks that a new user has.

import assert from 'node:assert/strict'
import { after, before, suite, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { runCommand } from '../../support/command.ts'
import { startForge, type TestForge } from '../../support/forge/forge.ts'
import type { Cleanup } from '../../support/git-remote.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { ada, assertBothThemes, type Dashboard, openDashboard } from './open.ts'

type Projects = {
  readonly projects: readonly { readonly id: string; readonly name: string; readonly repository: string }[]
}

suite('the first run', () => {
  const cleanups: (() => unknown)[] = []
  let t: Dashboard
  let forge: TestForge
  let gitHub: TestForge
  let model: ModelServer
  before(async () => {
    const cleanup: Cleanup = { after: (clean) => void cleanups.push(clean as () => unknown) }
    forge = await startForge(cleanup, { kind: 'gitea' })
    gitHub = await startForge(cleanup, { kind: 'github' })
    model = await startModelServer(() => ({ text: 'Yes' }))
    const hosts = [forge.host, gitHub.host, new URL(model.baseUrl).host].join(',')
    t = await openDashboard({ 'index.md': '# Home\n' }, { DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts }, { account: false })
    await removeAll()
  })

  /** The helper has made a project and a key. */
  const removeAll = async () => {
    const docent = (...args: readonly string[]) => runCommand(args, t.environment)
    assert.equal((await docent('project', 'delete', t.client.projectId, '--yes')).code, 0)
    const { stdout } = await docent('key', 'list', '--json')
    for (const { id } of JSON.parse(stdout) as readonly { readonly id: string }[]) await docent('key', 'revoke', id)
  }

  after(async () => {
    await t.close()
    await model.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  test('it leads to the first job; steps are skipped and found, also after a reload', async (context) => {
    const page = await t.chromium.context.newPage()
    const task = await record(context, page, 'first job')
    await page.goto(t.service.setupLink ?? '')
    await page.getByLabel('Your name').fill(ada.name)
    await page.getByLabel('E-mail').fill(ada.email)
    await page.getByLabel('Password').fill(ada.password)
    await assertBothThemes(page, 'the account')
    await page.getByRole('button', { name: 'Create the account' }).click()

    await page.getByLabel('Repository').fill(t.repository)
    await assertBothThemes(page, 'the repository')
    await page.getByRole('button', { name: 'Connect the repository' }).click()
    await page.getByText(/^main at [0-9a-f]{12}$/).waitFor()
    await assertBothThemes(page, 'the access')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('heading', { name: 'Choose the model' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Choose the model' }).waitFor()
    await assertBothThemes(page, 'the model')
    await page.getByRole('link', { name: 'Skip this step' }).click()
    await page.getByRole('heading', { name: 'Create an API key' }).waitFor()
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Model' }).click()
    await page.getByLabel(/^The built-in model/).check()
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.getByLabel('The key', { exact: true }).innerText()
    assert.match(key, /^docent_\w{46}$/)
    const curl = await page.getByLabel('A request that creates a job').innerText()
    assert.match(curl, new RegExp(`^curl ${t.address}/v2/agent/prj_\\w{20}/job`))
    assert.ok(curl.includes(key))
    await assertBothThemes(page, 'the key')
    await page.getByRole('button', { name: 'I have copied it' }).click()

    await page.getByLabel('Address of your documentation').fill('https://docs.example.com/guides')
    await page.getByRole('button', { name: 'Show the script' }).click()
    const script = await page.getByLabel('The script for docs.example.com').innerText()
    assert.match(
      script,
      new RegExp(`^<script defer src="${t.address}/v1/script.js" data-site="site_\\w{20}"></script>$`),
    )
    await assertBothThemes(page, 'the script')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('link', { name: 'Write the instruction' }).click()
    await page.getByLabel('Instruction').fill('Rename "Home" to "Start"')
    await page.getByText(`co-author, with your e-mail address ${ada.email}`).waitFor()
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.waitForURL(/\/jobs\/[^/]+$/)
    task.end()
    await page.goto(`${t.address}/get-started/job`)
    await page.getByRole('heading', { name: 'Your first job is there' }).waitFor()
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('a repository on a forge is connected with what it lacks in sight', async (context) => {
    const page = await t.open('/projects/new')
    const task = await record(context, page, 'connect a repository')
    await page.getByLabel('Repository').fill(forge.repository)
    assert.equal(await page.getByLabel('Name').inputValue(), 'acme/docs')
    await page.getByRole('button', { name: 'Connect the repository' }).click()
    await page.getByText('Push branches: no').waitFor()
    const weak = forge.createToken({ rights: ['read'] })
    await page.getByLabel('Token', { exact: true }).fill(weak.value)
    await assertBothThemes(page, 'the credential')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByRole('button', { name: 'Replace the credential' }).click()
    await page.getByLabel('Token', { exact: true }).fill(forge.createToken().value)
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByText('Open pull requests on Gitea: yes').waitFor()
    task.end()
    await page.getByRole('button', { name: 'Try a push and a pull request' }).click()
    await page.getByRole('list', { name: 'What was tried' }).waitFor()
    await assertBothThemes(page, 'the proof')
    assert.ok(!(await page.content()).includes(weak.value))
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Push branches: no').waitFor()
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('a refused credential says what to do on the settings page, and is replaced', async () => {
    const page = await t.open('/')
    const { projects } = await page.evaluate<Projects>(`fetch('/v1/projects').then((found) => found.json())`)
    const { id = '' } = projects.find(({ repository }) => repository === forge.repository) ?? {}
    await page.goto(`${t.address}/projects/${id}/settings/repository`)
    const token = page.getByLabel('Token', { exact: true })
    const access = page.getByRole('region', { name: 'Access' })
    await token.fill('a-token-that-nobody-created')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await access.getByText('Push branches: no').waitFor()
    await access
      .getByText(/refused|token/i)
      .first()
      .waitFor()
    await assertBothThemes(page, 'a refused credential')
    await page.getByRole('button', { name: 'Replace the credential' }).click()
    await token.fill(forge.createToken().value)
    await page.getByRole('button', { name: 'Save and check' }).click()
    await access.getByText('Push branches: yes').waitFor()
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('GitHub Apps are listed with their projects, checked and removed', async () => {
    const page = await t.open('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GitHub Apps' }).click()
    await page.getByText('There is no GitHub App yet').waitFor()
    await page.getByRole('button', { name: 'New GitHub App' }).click()
    await page.getByLabel('Address of GitHub').fill(gitHub.web)
    await page.getByRole('button', { name: 'Create a GitHub App' }).click()
    await page.getByRole('link', { name: 'Continue on GitHub' }).waitFor()
    await assertBothThemes(page, 'a new App')
    await page.getByRole('button', { name: 'Close' }).click()

    const app = gitHub.createApp({ name: 'Acme Docent', permissions: { contents: 'write', metadata: 'read' } })
    const docent = (...args: readonly string[]) =>
      runCommand(args, t.environment, { readInput: () => Promise.resolve(app.privateKey) })
    const key = ['--app-id', String(app.id), '--private-key-file', '-']
    await docent('github', 'set-app', '--url', gitHub.web, ...key)
    const made = await docent('project', 'create', '--name', 'Handbook', '--repository', gitHub.repository, '--json')
    const { projectId } = JSON.parse(made.stdout) as { readonly projectId: string }
    await docent('project', 'credential', 'set', projectId, '--installation', String(app.installationId))

    await page.setViewportSize({ width: 380, height: 800 })
    await page.reload()
    await page.getByText('Used by Handbook').waitFor()
    await page.getByRole('button', { name: 'Check Acme Docent' }).click()
    await page.getByRole('status').getByText('Give the App `pull_requests: write`').waitFor()
    await page.getByRole('list', { name: 'Installations of Acme Docent' }).getByText('acme').waitFor()
    await assertBothThemes(page, 'an App')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    await page.getByRole('link', { name: 'Handbook' }).click()
    await page.getByRole('region', { name: 'Access' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove Acme Docent' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove Acme Docent?' })
    await asked.getByText('Jobs of Handbook can no longer reach their repositories').waitFor()
    await assertBothThemes(page, 'removing an App')
    await asked.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There is no GitHub App yet').waitFor()
    await docent('project', 'delete', projectId, '--yes')
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('the key of a model is tested with one token, and a refused one says why', async () => {
    const page = await t.open('/models')
    await assertBothThemes(page, 'the models')
    model.script = () => ({ status: 401, says: 'No such key' })
    await page.getByRole('button', { name: 'Add a key' }).click()
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('OpenAI-compatible server')
    await page.getByLabel('Address').fill(model.baseUrl)
    await page.getByLabel('Model', { exact: true }).fill('small')
    await page.getByLabel('Key, if the server needs one').fill('sk-0123')
    await page.getByRole('button', { name: 'Save and test with one token' }).click()
    await page.getByRole('alert').getByText('compatible/small did not respond').waitFor()
    await assertBothThemes(page, 'a refused key')
    const home = await t.open('/')
    const attention = home.getByRole('region', { name: 'Needs attention' })
    await attention.getByRole('link', { name: /^Jobs cannot use the models of OpenAI-compatible server/ }).waitFor()
    await assertBothThemes(home, 'a refused key on the start page')
    await attention.getByRole('link', { name: /^Jobs cannot use the models/ }).click()
    await home.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    await home.close()
    model.script = () => ({ text: 'Yes' })
    await page.getByRole('button', { name: 'Save and test with one token' }).click()
    await page.getByRole('status').getByText('compatible/small responded').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Works').waitFor()
    assert.ok(!(await page.content()).includes('sk-0123'))
    assert.deepEqual(t.reports(), [])
    await page.close()
  })

  test('settings are saved, refused at their field, and there after a reload', async () => {
    const page = await t.open('/')
    const { projects } = await page.evaluate<Projects>(`fetch('/v1/projects').then((found) => found.json())`)
    const { id = '' } = projects.find(({ repository }) => repository.includes(t.repository)) ?? {}
    const settings = `${t.address}/projects/${id}/settings`
    const saved = () =>
      page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).waitFor({ state: 'detached' })

    const sections = page.getByRole('navigation', { name: 'Settings' })
    await page.goto(`${settings}/jobs`)
    const paths = page.getByRole('region', { name: 'Paths', exact: true })
    await paths.getByLabel('Denied').fill('docs/legal/')
    await paths.getByLabel('Protected files').fill('docs/package.json\ndocs/**')
    await paths.getByRole('button', { name: 'Save' }).click()
    await paths.getByText(/^Line 2 /).waitFor()
    await assertBothThemes(page, 'a refused setting')
    await paths.getByLabel('Protected files').fill('')
    await paths.getByRole('button', { name: 'Save' }).click()
    await saved()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByText('protected', { exact: true }).first().waitFor()
    await page.getByLabel('Turns').fill('50')
    await page.getByRole('region', { name: 'Budget of a run' }).getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'jobs')

    await sections.getByRole('link', { name: 'Visitors' }).click()
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByRole('region', { name: 'Counting' }).getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'visitors')
    await sections.getByRole('link', { name: 'Repository' }).click()
    await page.getByText(/^main at /).waitFor()
    const names = page.getByLabel('Name people as co-authors of commits')
    assert.equal(await names.isChecked(), true)
    await names.uncheck()
    await page.getByRole('region', { name: 'Commits and pull requests' }).getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'repository')
    await page.goto(`${t.address}/projects/${id}/jobs/new`)
    await page.getByRole('button', { name: 'Start the job' }).waitFor()
    assert.equal(await page.getByText('co-author').count(), 0)
    await page.goto(`${settings}/jobs`)
    assert.equal(await page.getByLabel('Denied').inputValue(), 'docs/legal/')
    assert.equal(await page.getByLabel('Turns').inputValue(), '50')
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('sites come and go, and a project is deleted by typing its name', async () => {
    const page = await t.open('/')
    const { projects } = await page.evaluate<Projects>(`fetch('/v1/projects').then((found) => found.json())`)
    const { id = '' } = projects.find(({ name }) => name === 'acme/docs') ?? {}
    await page.goto(`${t.address}/projects/${id}/settings/sites`)
    await page.getByRole('button', { name: 'Add a site' }).click()
    await page.getByLabel('Origins').fill('https://docs.example.org')
    await assertBothThemes(page, 'a new site')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete docs.example.org' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There is no site yet').waitFor()

    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('button', { name: 'Delete the project' }).click()
    const confirm = page.getByRole('button', { name: 'Delete', exact: true })
    assert.equal(await confirm.isDisabled(), true)
    await page.getByLabel('Type acme/docs to confirm').fill('acme/docs')
    await assertBothThemes(page, 'a deletion')
    await confirm.click()
    await page.waitForURL(`${t.address}/`)
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })
})

/** Counts the clicks of a task and its time, and prints both. */
async function record(context: TestContext, page: Page, task: string) {
  const counted = { clicks: 0 }
  const began = performance.now()
  await page.exposeFunction('noteClick', () => (counted.clicks += 1))
  const listen = `addEventListener('click', (event) => event.isTrusted && noteClick(), true)`
  await page.addInitScript(listen)
  await page.evaluate(listen)
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1)
  return { end: () => context.diagnostic(`${task}: ${counted.clicks} clicks, ${seconds()} s with the checks`) }
}
