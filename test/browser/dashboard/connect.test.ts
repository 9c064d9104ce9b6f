// A repository is connected in front of a person: with a token, a GitHub App or a key for ssh. Each refusal says what to do.
// The pages without a test of their own are here, too.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runCommand } from '../../support/command.ts'
import { startForge, type TestForge } from '../../support/forge/forge.ts'
import { type Cleanup, createRemote } from '../../support/git-remote.ts'
import { serveSsh, sshKeys, type SshServer } from '../../support/ssh-server.ts'
import { createApp } from './github-app.ts'
import { assertAccessible, assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'
import { record } from './record.ts'

/** The result of a check that asked no forge. */
const unasked = { account: null, forge: null, credential: null, expiresAt: null, base: null, steps: null }
const nothing = { ...unasked, off: [], rules: { refused: [], unknown: [] } }

suite('connections of the dashboard', () => {
  const cleanups: (() => unknown)[] = []
  let t: Dashboard
  let forge: TestForge
  let github: TestForge
  let ssh: SshServer
  before(async () => {
    const cleanup: Cleanup = { after: (clean) => void cleanups.push(clean as () => unknown) }
    forge = await startForge(cleanup, { kind: 'gitea' })
    github = await startForge(cleanup, { kind: 'github', switches: { isPrivate: true } })
    const remote = createRemote(cleanup)
    remote.commit('main', { 'a.md': '# A\n' })
    ssh = await serveSsh(cleanup, remote.directory)
    const hosts = [forge.host, github.host, ssh.host].join(',')
    t = await openDashboard({ 'index.md': '# Home\n' }, { DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
  })
  after(async () => {
    await t.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  /** The browser reports what is refused, and that a person went to GitHub for the App. */
  function assertQuiet(): void {
    const expected = ['/organizations/acme/settings/apps/new?', '/github-apps/'].map(
      (path) => `request: ${github.web}${path}`,
    )
    const seen = t.reports(/status of 400/)
    assert.deepEqual(
      seen.filter((one) => !expected.some((start) => one.startsWith(start))),
      [],
    )
  }

  /** A page that shows every project with this repository, which cannot be reached from here. */
  async function openOn(repository: string): Promise<Page> {
    const page = await t.chromium.context.newPage()
    await page.route(/\/v1\/projects(?:\?.*)?$/, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(/"repository":"[^"]*"/g, `"repository":"${repository}"`)
      await route.fulfill({ response, body: text })
    })
    return page
  }

  /** Each right is as given. */
  async function answerCheck(page: Page, right: 'yes' | 'no' | 'unknown', problem: string | null = null) {
    const rights = { read: right, push: right, pullRequests: right }
    await page.route('**/credential/check', (route) =>
      route.fulfill({ json: { ...nothing, rights, missing: [], problem } }),
    )
  }

  for (const path of ['/', '/people', '/keys', '/audit', '/projects/new'])
    test(`${path} is accessible and quiet`, async () => {
      const page = await t.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page, path)
      assertQuiet()
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
    assertQuiet()
    await page.close()
  })

  test('a repository on Bitbucket asks for the address of an API token', async () => {
    const page = await openOn('https://bitbucket.org/acme/docs.git')
    await answerCheck(page, 'no')
    const asked: unknown[] = []
    const refused = 'An access token of a repository, project or workspace needs no e-mail address (`user`).'
    await page.route('**/credential', (route) => {
      asked.push(route.request().postDataJSON())
      const details = [{ pointer: '#/user', message: refused }]
      return route.fulfill({
        status: 400,
        json: { code: 'invalid_input', title: 'x', detail: refused, details },
      })
    })
    await page.goto(`${t.address}/get-started/project`)
    const link = page.getByRole('link', { name: 'Create an access token of the repository' })
    assert.equal(await link.getAttribute('href'), 'https://bitbucket.org/acme/docs/admin/access-tokens')
    assert.equal(await page.getByLabel('GitHub App').count(), 0)
    await page.getByLabel('Token', { exact: true }).fill('ATCTT3x')
    await page.getByLabel('E-mail address').fill('ada@acme.example')
    await assertBothThemes(page, 'the credential of Bitbucket')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByText(refused).waitFor()
    assert.deepEqual(asked, [{ token: 'ATCTT3x', user: 'ada@acme.example' }])
    t.reports(/status of 400/)
    await page.close()
  })

  test('a repository on Azure DevOps links to the tokens of its organization', async () => {
    const page = await openOn('https://dev.azure.com/acme/Team%20docs/_git/docs')
    await answerCheck(page, 'no')
    await page.goto(`${t.address}/get-started/project`)
    const link = page.getByRole('link', { name: 'Create a personal access token on Azure DevOps' })
    assert.equal(await link.getAttribute('href'), 'https://dev.azure.com/acme/_usersSettings/tokens')
    assert.equal(await page.getByLabel('GitHub App').count(), 0)
    assert.equal(await page.getByLabel('E-mail address').count(), 0)
    await assertBothThemes(page, 'the credential of Azure DevOps')
    await page.close()
  })

  test('a repository that could not be tried is not ticked, and its host not guessed', async () => {
    const page = await openOn('https://github.com/acme/docs.git')
    const problem = 'The name github.com cannot be resolved.'
    await answerCheck(page, 'unknown', problem)
    await page.goto(`${t.address}/get-started/project`)
    await page.getByText(problem).waitFor()
    await page.getByText('Open pull requests on GitHub: not known').waitFor()
    assert.equal(await page.getByText(/which Docent keeps/).count(), 0)
    const steps = page.getByRole('navigation', { name: 'Steps' })
    await steps.getByRole('link', { name: 'Repository', exact: true }).waitFor()
    await assertBothThemes(page, 'an unknown access')
    await answerCheck(page, 'yes')
    await page.getByRole('button', { name: 'Check again' }).click()
    await steps.getByRole('link', { name: /^Repository\s*, done$/ }).waitFor()
    assertQuiet()
    await page.close()
  })

  test('a refused credential says what to do on the settings page, and is replaced', async () => {
    const page = await t.open('/')
    const id = await findProject(page, ({ repository }) => repository === forge.repository)
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
    assertQuiet()
    await page.close()
  })

  test('GitHub Apps are listed with their projects, checked and removed', async () => {
    const page = await t.open('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GitHub Apps' }).click()
    await page.getByText('There is no GitHub App yet').waitFor()
    await page.getByRole('button', { name: 'New GitHub App' }).click()
    await page.getByLabel('Address of GitHub').fill(github.web)
    await page.getByRole('button', { name: 'Create a GitHub App' }).click()
    await page.getByRole('link', { name: 'Continue on GitHub' }).waitFor()
    await assertBothThemes(page, 'a new App')
    await page.getByRole('button', { name: 'Close' }).click()

    const app = github.createApp({ name: 'Acme Docent', permissions: { contents: 'write', metadata: 'read' } })
    const docent = (...args: readonly string[]) =>
      runCommand(args, t.environment, { readInput: () => Promise.resolve(app.privateKey) })
    const key = ['--app-id', String(app.id), '--private-key-file', '-']
    await docent('github', 'set-app', '--url', github.web, ...key)
    const made = await docent('project', 'create', '--name', 'Handbook', '--repository', github.repository, '--json')
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
    assertQuiet()
    await page.close()
  })

  /** Opens a page for a new project of the repository, which the service may not push to yet. */
  async function connect(repository: string): Promise<Page> {
    const page = await t.open('/projects/new')
    await page.getByLabel('Repository').fill(repository)
    await page.getByRole('button', { name: 'Connect the repository' }).click()
    await page.getByText('Push branches: no').waitFor()
    return page
  }

  test('a GitHub App is created, installed and chosen; a suspended one says so', async () => {
    const page = await connect(github.repository)
    await createApp(page, github)
    await page.getByRole('button', { name: 'look again' }).click()
    await page.getByRole('radio', { name: /^acme/ }).check()
    await assertBothThemes(page, 'an installation')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByText('Open pull requests on GitHub: yes').waitFor()
    const { installation } = github.apps.at(-1) ?? {}
    assert.ok(installation)
    installation.isSuspended = true
    await page.getByRole('button', { name: 'Check again' }).click()
    const said = page.getByRole('region', { name: 'Access' }).getByText(/suspended/i)
    await said.first().waitFor()
    await assertBothThemes(page, 'a suspended installation')
    installation.isSuspended = false
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Push branches: yes').waitFor()
    assertQuiet()
    await page.close()
  })

  test('a key for ssh is probed; a wrong one, and another host, say what to do', async () => {
    const page = await connect(`ssh://git@${ssh.host}/acme/docs.git`)
    const access = page.getByRole('region', { name: 'Access' })
    const save = async (key: string, hostKey: string) => {
      await page.getByLabel('Private key').fill(key)
      await page.getByLabel('Keys of the host').fill(`${ssh.host} ${hostKey}`)
      await page.getByRole('button', { name: 'Save and check' }).click()
    }
    await save('not a key', ssh.hostKey)
    await page.getByText('must begin with a line such as -----BEGIN OPENSSH PRIVATE KEY-----').waitFor()
    await save(sshKeys().private, ssh.hostKey)
    await access.getByText('Enter the public part of the key at the host').first().waitFor()
    await page.getByRole('button', { name: 'Replace the credential' }).click()
    await save(ssh.user.private, sshKeys().public.trim())
    await access.getByText('Compare this key with the one that the host publishes').first().waitFor()
    const seen = access.getByText(/^The host has another key than the pinned one\. Its key is SHA256:\S+$/)
    await seen.first().waitFor()
    await assertBothThemes(page, 'another host')
    await page.getByRole('button', { name: 'Replace the credential' }).click()
    await save(ssh.user.private, ssh.hostKey)
    await access.getByText('Push branches: yes').waitFor()
    assert.ok(!(await page.content()).includes(ssh.user.private.split('\n')[2] ?? 'no key'))
    assertQuiet()
    await page.close()
  })

  test('sites come and go, and a project is deleted by typing its name', async () => {
    const page = await t.open('/')
    const id = await findProject(page, ({ repository }) => repository === forge.repository)
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
    assertQuiet()
    await page.close()
  })
})
