// The first run and the settings of a project, as a new user goes through them. Clicks and seconds are printed: they are the
// record of two tasks that a new user has.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ProjectSettings } from '../../../src/projects/settings.ts'
import { runCommand } from '../../support/command.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'
import { ada, assertBothThemes, type Dashboard, findProject, openDashboard } from './open.ts'
import { record } from './record.ts'

suite('the first run', () => {
  let t: Dashboard
  let model: ModelServer
  before(async () => {
    model = await startModelServer(() => ({ text: 'Yes' }))
    const hosts = new URL(model.baseUrl).host
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
    assert.ok(await page.getByLabel(/^A calendar month/).isChecked())
    await page.getByLabel(/^A week/).check()
    await assertBothThemes(page, 'the visitors')
    await page.getByRole('button', { name: 'Show the script' }).click()
    const script = await page.getByLabel('The script for docs.example.com').innerText()
    assert.match(
      script,
      new RegExp(`^<script defer src="${t.address}/v1/script.js" data-site="site_\\w{20}"></script>$`),
    )
    await assertBothThemes(page, 'the script')
    const projects = await runCommand(['project', 'list', '--json'], t.environment)
    assert.match(projects.stdout, /"visitorWindow":\s*"week"/)
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('link', { name: 'Write the instruction' }).click()
    await page.getByLabel('Instruction').fill('Rename "Home" to "Start"')
    await page.getByText(`co-author, with your e-mail address ${ada.email}`).waitFor()
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.waitForURL(/\/jobs\/[^/]+$/)
    task.end()
    await page.goto(`${t.address}/get-started/job`)
    await page.getByRole('heading', { name: 'Your first job is there' }).waitFor()
    assert.deepEqual(t.reports(/status of 400/), [])
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
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('settings are saved, refused at their field, and there after a reload', async () => {
    const page = await t.open('/')
    const id = await findProject(page, ({ repository }) => repository.includes(t.repository))
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
    const text = page.getByRole('region', { name: 'Try a text' })
    await text.getByLabel('Text').fill('# A\n\n<script>x()</script>\n\nSee https://other.example.\n')
    await text.getByRole('button', { name: 'Try the text' }).click()
    await text.getByText('refused', { exact: true }).waitFor()
    await text.getByText('line 3 adds a script', { exact: true }).waitFor()
    await text.getByText('line 5 leads to other.example').waitFor()
    await text.getByText(/^This rests on: /).waitFor()
    await assertBothThemes(page, 'a refused text')
    await page.getByLabel('Turns').fill('50')
    await page.getByRole('region', { name: 'Budget of a run' }).getByRole('button', { name: 'Save' }).click()
    await saved()
    const checks = page.getByRole('region', { name: 'Checks' })
    await checks.getByRole('radio', { name: /^All/ }).check()
    await checks.getByRole('button', { name: 'Ignore a kind of problem' }).click()
    await checks.getByRole('combobox', { name: 'Ignored kind 1' }).selectOption('Missing images')
    await checks.getByLabel('Ignored file or folder 1').fill('docs/legal')
    await checks.getByRole('button', { name: 'Name a site' }).click()
    await checks.getByLabel('Folder of the site 1').fill('docs')
    await checks.getByRole('button', { name: 'Name a site' }).click()
    await checks.getByRole('button', { name: 'Remove row 2 of Kinds of sites' }).click()
    await checks.getByRole('combobox', { name: 'Kind of site 1' }).selectOption('MkDocs')
    await checks.getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'jobs')

    await sections.getByRole('link', { name: 'Visitors' }).click()
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByRole('region', { name: 'Counting' }).getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'visitors')
    await sections.getByRole('link', { name: 'Repository' }).click()
    await page.getByText(/^main at /).waitFor()
    const commits = page.getByRole('region', { name: 'Commits' })
    assert.equal(await commits.getByRole('radio', { name: /^In private repositories/ }).isChecked(), true)
    await commits.getByRole('radio', { name: /^Never/ }).check()
    await commits.getByLabel('First line begins with').fill('docs: ')
    await commits.getByLabel('Sign off (DCO)').check()
    await commits.getByRole('button', { name: 'Save' }).click()
    await commits.getByText(/^Sign-off is refused: the project has no credential/).waitFor()
    await commits.getByLabel('Sign off (DCO)').uncheck()
    await commits.getByRole('button', { name: 'Save' }).click()
    await saved()
    const pulls = page.getByRole('region', { name: 'Pull requests' })
    await pulls.getByLabel('Branches begin with').fill('docs..')
    await pulls.getByLabel('Assignees').fill('ada, grace')
    await pulls.getByRole('radio', { name: 'Never' }).check()
    await pulls.getByRole('button', { name: 'Save' }).click()
    await pulls.getByText(/two dots in a row/).waitFor()
    await pulls.getByLabel('Branches begin with').fill('docs/')
    await pulls.getByRole('button', { name: 'Save' }).click()
    await saved()
    await assertBothThemes(page, 'repository')
    await page.goto(`${t.address}/projects/${id}/jobs/new`)
    await page.getByRole('button', { name: 'Start the job' }).waitFor()
    assert.equal(await page.getByText('co-author').count(), 0)
    await page.goto(`${settings}/jobs`)
    assert.equal(await page.getByLabel('Denied').inputValue(), 'docs/legal/')
    assert.equal(await page.getByLabel('Turns').inputValue(), '50')
    const stored = await page.evaluate<Pick<ProjectSettings, 'checks' | 'commit' | 'pullRequest'>>(
      `fetch('/v1/projects/${id}').then((found) => found.json())`,
    )
    assert.equal(stored.commit.prefix, 'docs: ')
    const { branchPrefix, assignees, deleteBranch } = stored.pullRequest
    assert.deepEqual([branchPrefix, assignees, deleteBranch], ['docs/', ['ada', 'grace'], 'never'])
    assert.deepEqual(stored.checks, {
      block: 'all',
      losses: 'show',
      grounding: 'show',
      ignore: [{ kind: 'image', path: 'docs/legal' }],
      sites: [{ kind: 'mkdocs', path: 'docs' }],
    })
    assert.ok(await checks.getByRole('radio', { name: /^All/ }).isChecked())
    assert.deepEqual(t.reports(/status of 400/), [])
    await page.close()
  })

  test('a log is read in the browser, counted once, and what was left out is said', async () => {
    const page = await t.open('/')
    const id = await findProject(page, ({ repository }) => repository.includes(t.repository))
    const about = () =>
      page.evaluate<{ readonly pageViews: number }>(`fetch('/v1/analytics/${id}').then((found) => found.json())`)
    const before = (await about()).pageViews
    await page.goto(`${t.address}/projects/${id}/visitors`)
    await page
      .getByRole('link', { name: /^Import logs/ })
      .first()
      .click()
    await page.getByLabel('Logs').setInputFiles([access, rotated])
    await assertBothThemes(page, 'an import')
    const bodies: string[] = []
    page.on('request', (request) => void bodies.push(request.postData() ?? ''))
    const choose = async () => {
      await page.getByLabel('Host').fill('docs.example.com')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText('The import is done.').waitFor()
    }
    await page.route('**/page-views?*', (route) => route.abort())
    await page.getByLabel('Host').fill('docs.example.com')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText(/^The service does not respond\. Again in/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. The same logs again continue from there.').waitFor()
    assert.equal((await about()).pageViews, before)
    await page.unroute('**/page-views?*')
    await choose()
    const first = page.getByRole('region', { name: 'access.log', exact: true })
    const rows = await first.locator('dl > div').allInnerTexts()
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s+/g, ' ').replace(' Examples', '')),
      [
        'Lines 2,504',
        'Page views 2,500',
        'Left out: the method is not GET 1',
        'Left out: the path is an asset, not a page 1',
        'Left out: the line could not be parsed 1',
        "Left out: the time is before the project's retention 1",
      ],
    )
    await first.getByText('Examples').first().click()
    await first.getByText('POST /form?…').waitFor()
    const second = page.getByRole('region', { name: 'access.log.1.gz' })
    assert.match((await second.innerText()).replaceAll(/\s+/g, ' '), /combined Lines 4 Page views 4/)
    assert.equal((await about()).pageViews - before, 2_504)
    assert.doesNotMatch(bodies.join(''), /secret/)
    await assertBothThemes(page, 'an import that is done')
    await page.getByLabel('Read from the start again').check()
    await choose()
    assert.equal((await about()).pageViews - before, 2_504)
    await page
      .getByLabel('Logs')
      .setInputFiles({ ...access, name: 'mail.log', buffer: Buffer.from('Nov 20 postfix: x\n') })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/^mail\.log has an unknown log format; name it with the field “Format”: /)
      .waitFor()
    await page.goto(`${t.address}/audit`)
    await page.getByText('Imported an access log').first().waitFor()
    assert.deepEqual(t.reports(/status of 400|ERR_FAILED/), [])
    await page.close()
  })
})

// Yesterday: a time of today may still be in the future.
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

function lineOf(request: string, at: number, date = yesterday): string {
  const [year, , day] = date.split('-')
  const name = new Date(date).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  const minute = String(Math.floor(at / 60) % 60).padStart(2, '0')
  const time = `${day}/${name}/${year}:00:${minute}:${String(at % 60).padStart(2, '0')} +0000`
  return `192.0.2.${at % 200} - - [${time}] "${request} HTTP/1.1" 200 512 "-" "Claude-User/1.0"\n`
}

/** 2,500 pages with a query, and four other lines. */
const access = {
  name: 'access.log',
  mimeType: 'text/plain',
  buffer: Buffer.from(
    [
      ...Array.from({ length: 2_500 }, (_, at) => lineOf(`GET /guides/${at % 40}?token=secret`, at)),
      lineOf('POST /form?token=secret', 1),
      lineOf('GET /logo.png', 2),
      'not a line of this log\n',
      lineOf('GET /old', 3, '2001-02-03'),
    ].join(''),
  ),
}

/** Two members, as joined logs have. */
const rotated = {
  name: 'access.log.1.gz',
  mimeType: 'application/gzip',
  buffer: Buffer.concat(
    [0, 1].map((part) => gzipSync([0, 1].map((at) => lineOf(`GET /rotated/${part}`, at + 2 * part)).join(''))),
  ),
}
