import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { JobResponse } from '../../../src/jobs/response.ts'
import { git, pushAsPerson, show } from '../../support/repository.ts'
import { cheapest, manyFiles, mostElements, mostTaskMs, serveMany } from './many.ts'
import { assertBothThemes, type Dashboard, openDashboard } from './open.ts'
import { fullReview, serveReview } from './reviews.ts'
import { measureSlowness, traceTasks } from './tasks.ts'

const hostileName = 'docs/<img src=x onerror=reportViolation(1)>.md'
const hostilePage = `# Acme CLI

<Card title="<script>parent.reportViolation(2)</script>" onClick={() => reportViolation(3)}>Text</Card>

<script>{'parent.reportViolation(4)'}</script>

<iframe srcDoc="<script>parent.reportViolation(5)</script>" />

![x](https://evil.example/x.png) <img src="gone.png" onError="reportViolation(6)" /> [y](javascript:reportViolation(7))
`

const rstPage = `Acme CLI
========

.. note:: The Acme CLI is \`\`new\`\`.

.. raw:: html

   <script>parent.reportViolation(8)</script>
`

suite('changes and pull requests in the dashboard', () => {
  let t: Dashboard
  let job: JobResponse
  let pulls: string

  before(async () => {
    t = await openDashboard({
      'index.md': '# Home\n\nUse the Acme CLI.\n',
      [hostileName]: 'The Acme CLI.\n',
      'docs/page.mdx': hostilePage,
      'docs/use.rst': rstPage,
      'docs/use.adoc':
        '= Acme CLI\n\n* xref:page.adoc[Use] the Acme CLI\n\n++++\n<script>reportViolation(9)</script>\n++++\n',
    })
    job = await t.client.ended((await t.client.create('Rename "Acme CLI" to "Acme Command"')).id)
    pulls = `/projects/${t.client.projectId}/pulls`
  })
  after(() => t.close())

  /** The browser itself reports the merge that is refused. */
  const assertQuiet = () => assert.deepEqual(t.reports(/status of 409/), [])

  test('the list leads to the change, whose names and pages are inert', async () => {
    const page = await t.open(pulls)
    await page.getByRole('link', { name: /Rename "Acme CLI"/ }).waitFor()
    await assertBothThemes(page, 'the list')
    await page.getByRole('link', { name: /Rename "Acme CLI"/ }).click()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText(hostileName).waitFor()
    await changes.locator('.word-added').first().waitFor()
    await assertBothThemes(page, 'unified')
    await page.getByRole('button', { name: 'Split' }).click()
    await assertBothThemes(page, 'split')
    await page.reload()
    await page.getByRole('button', { name: 'Split', pressed: true }).waitFor()
    await page.setViewportSize({ width: 380, height: 800 })
    await page.getByRole('group', { name: 'Layout' }).waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    assertQuiet()
    await page.close()
  })

  test('a page is previewed before and after, and executes nothing', async () => {
    const page = await t.open(`${pulls}/1`)
    const file = page.locator('[data-index]', { has: page.getByText('docs/page.mdx', { exact: true }) })
    await file.getByRole('button', { name: 'Preview' }).click()
    const side = (title: string) => page.frameLocator(`iframe[title="${title}: docs/page.mdx"]`)
    await side('Before').getByRole('heading', { name: 'Acme CLI' }).waitFor()
    await side('After').getByRole('heading', { name: 'Acme Command' }).waitFor()
    await side('After').getByText('Image: x (https://evil.example/x.png)').waitFor()
    assert.equal(await page.locator('iframe[title^="After"]').getAttribute('sandbox'), '')
    const text = page.frameLocator('iframe[title="Description"][sandbox="allow-same-origin"]')
    await text.getByRole('listitem').first().waitFor()
    await assertBothThemes(page, 'a preview')
    assertQuiet()
    await page.close()
  })

  test('pages of reStructuredText and AsciiDoc are previewed, and execute nothing', async () => {
    for (const [path, words] of [
      ['docs/use.rst', 'The Acme Command is new.'],
      ['docs/use.adoc', 'Use the Acme Command'],
    ] as const) {
      const page = await t.open(`${pulls}/1?at=${path}:0`)
      const file = page.locator('[data-index]', { has: page.getByText(path, { exact: true }) })
      await file.getByRole('button', { name: 'Preview' }).click()
      const shown = page.frameLocator(`iframe[title="After: ${path}"]`)
      await shown.getByRole('heading', { name: 'Acme Command', exact: true }).waitFor()
      await shown.getByText(words).waitFor()
      await shown.locator('code', { hasText: 'reportViolation' }).waitFor()
      assertQuiet()
      await page.close()
    }
  })

  test('the review is above the change, and its places lead to the lines', async () => {
    const page = await t.chromium.context.newPage()
    await serveReview(page, job.id, fullReview('docs/page.mdx'))
    await page.goto(`${t.address}${pulls}/1`)
    const review = page.getByRole('region', { name: 'Checks' })
    await review.getByText('3 new problems').waitFor()
    await review.getByText('1 no longer found · 41 remaining · 2 ignored').waitFor()
    await review.getByText('a redirect with a pattern covers the address').waitFor()
    const problems = review.getByRole('list', { name: 'New problems' }).getByRole('listitem')
    assert.match(await problems.first().innerText(), /Breaking\s+docs\/page\.mdx:900\s+does not compile/)
    assert.match(await problems.last().innerText(), /docs\/other\.md :7[^]*From a person’s commit/)
    assert.equal(await problems.last().getByRole('link').count(), 0)
    await review.getByText('41 remaining problems').click()
    await review.getByRole('button', { name: 'Show 21 more' }).click()
    assert.equal(await review.getByRole('list', { name: '41 remaining problems' }).getByRole('listitem').count(), 41)
    await review.getByText('Compared with api@3f2c1d8, core (not read)').click()
    await review.getByText('120 revisions since 2023-03-01, its whole history').waitFor()
    await review.getByText('12 names not judged: a source could not be read').waitFor()
    await assertBothThemes(page, 'a review')
    const marks = page.getByRole('note', { name: 'About line 1', exact: true })
    await marks.getByText('links to /setup, which does not exist').waitFor()
    await page.getByRole('button', { name: 'Collapse all' }).click()
    await marks.waitFor({ state: 'detached' })
    for (const _ of ['the first time', 'again']) {
      await review.getByRole('link', { name: 'docs/page.mdx:1', exact: true }).first().focus()
      await page.keyboard.press('Enter')
      await page.locator('[aria-label="About line 1"]:focus').waitFor()
    }
    assert.ok(page.url().endsWith('?at=docs%2Fpage.mdx%3A1'), page.url())
    await page.setViewportSize({ width: 380, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    // The address leads there, too, with the review beside the changes of the job.
    await page.goto(`${t.address}/projects/${t.client.projectId}/jobs/${job.id}?view=changes&at=docs/page.mdx:900`)
    await page.locator('[aria-label="About line 900"]:focus').waitFor()
    await page.getByRole('region', { name: 'Checks' }).getByText('Lost text').waitFor()
    assertQuiet()
    await page.close()
  })

  test('failed checks list the problems, and the agent is asked to fix them', async () => {
    const page = await t.chromium.context.newPage()
    const error = { code: 'checks_failed', message: 'The change has 2 new problems.' }
    await serveReview(page, job.id, fullReview('docs/page.mdx'), error)
    await page.goto(`${t.address}/projects/${t.client.projectId}/jobs`)
    await page.getByRole('link', { name: /3 new problems/ }).click()
    const failure = page.getByRole('region', { name: 'Why it failed' })
    const problems = failure.getByRole('list', { name: 'Problems' }).getByRole('listitem')
    await problems.first().getByText('docs/page.mdx:900').waitFor()
    assert.equal(await problems.count(), 2, 'those of the agent')
    await failure.getByText('Nothing was published, for the change').waitFor()
    await failure.getByText('Read the report, then send a message.').waitFor()
    await assertBothThemes(page, 'failed checks')
    let sent = ''
    await page.route('**/message', async (route) => {
      sent = route.request().postData() ?? ''
      await route.fulfill({ status: 202, json: { ...job, checks: null } })
    })
    await failure.getByRole('link', { name: 'docs/page.mdx:1', exact: true }).click()
    await page.locator('[aria-label="About line 1"]:focus').waitFor()
    await failure.getByRole('button', { name: 'Ask the agent to fix them' }).click()
    await failure.waitFor({ state: 'detached' })
    assert.match(sent, /Fix the problems that the checks found/)
    assertQuiet()
    await page.close()
  })

  test('a comment on a line goes to the agent, by keyboard alone', async () => {
    const page = await t.open(`${pulls}/1`)
    await page.getByText('The built-in model cannot respond to comments on lines').waitFor()
    const line = page.getByRole('button', { name: 'Comment on line 1' }).first()
    assert.equal(await line.count(), 0)
    await page.route(`**/job/${job.id}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), model: 'openai/gpt-6' } })
    })
    await page.reload()
    await line.focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction('document.activeElement.closest("[data-index]") !== null')
    await line.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Comment on line 1', { exact: true }).and(page.getByRole('textbox')).waitFor()
    await assertBothThemes(page, 'writing a comment')
    await page.keyboard.type('Thanks! <b>Well</b> done.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByText('Thanks! <b>Well</b> done.').waitFor()
    const messages = await t.client.messages(job.id)
    assert.match(messages.at(-1)?.prompt ?? '', /^Comment on line 1 of "[^]*\n\nThanks! <b>Well<\/b> done\.$/)
    // The built-in model understands no such comment.
    await t.client.ended(job.id)
    await page.reload()
    await page.getByText('The last run failed: this pull request is as it was before').waitFor()
    await page.getByRole('article').getByText('The run failed: nothing came of it').waitFor()
    await assertBothThemes(page, 'a failed run')
    await page.getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge pull request #1?' })
    await dialog.getByText('The agent has not responded to 1 comment. The last run of the job failed.').waitFor()
    await assertBothThemes(page, 'doubts about a merge')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Merge' }).waitFor()
    assertQuiet()
    await page.close()
  })

  test('a change of 300 files and 24,000 lines has few elements and short tasks', async () => {
    const measure = async () => {
      const page = await t.chromium.context.newPage()
      await serveMany(page, { files: manyFiles(300) })
      const slowness = await measureSlowness(page)
      const tasks = await traceTasks(page)
      await page.goto(`${t.address}${pulls}/1`)
      await page.getByText('300 files').waitFor()
      const counts: { readonly elements: number; readonly place: string }[] = []
      for (const layout of ['Unified', 'Split']) {
        await page.getByRole('button', { name: layout }).click()
        for (const name of ['data/file-150.json', 'data/file-299.json', 'data/file-0.json']) {
          await page.getByLabel('Jump to a file').selectOption(name)
          await page.getByRole('button', { name: new RegExp(`${name} added`) }).waitFor()
          await page.locator('.tok-string, .tok-attr').first().waitFor()
          const elements = Number(await page.evaluate('document.querySelectorAll("*").length'))
          counts.push({ elements, place: `${layout} at ${name}` })
        }
      }
      const taskMs = (await tasks.costliest()) / slowness
      await page.close()
      return { counts, taskMs }
    }
    const { counts, taskMs } = await cheapest(measure, (cost) => cost.taskMs <= mostTaskMs)
    assert.equal(counts.length, 6)
    for (const { elements, place } of counts) assert.ok(elements <= mostElements, `${elements} elements, ${place}`)
    assert.ok(taskMs <= mostTaskMs, `a task took ${taskMs} ms`)
    assertQuiet()
  })

  test('a job of another base branch: a refused merge, a message, an update, a merge', async () => {
    await git(t.repository, 'branch', 'next', 'main')
    const main = await git(t.repository, 'rev-parse', 'main')
    const page = await t.open(`/projects/${t.client.projectId}/jobs/new`)
    await page.getByLabel('Instruction').fill('Rename "Acme CLI" to "Acme Tool"')
    await page.getByText('Options').click()
    await page.getByLabel('Base branch').fill('next')
    await page.getByRole('button', { name: 'Start the job' }).click()
    await page.getByText('Up to date with next').waitFor()
    await page.getByRole('link', { name: 'Review the pull request' }).click()
    await page.getByText('Up to date with next').waitFor()
    // Another person changes the same line while the page is open.
    pushAsPerson(t.repository, 'next', { 'index.md': '# Home\n\nUse the Acme Program.\n' })
    await page.getByRole('button', { name: 'Merge' }).click()
    const refusal = page.getByRole('main').getByRole('alert')
    await refusal.getByText(/index\.md/).waitFor()
    await assertBothThemes(page, 'a refused merge')

    await refusal.getByRole('link', { name: 'Send the job a message' }).click()
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Rename "Acme Tool" to "Acme Program"')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Run 2 with').waitFor()
    await page.getByText('1 commit behind next').waitFor()
    await page.getByRole('link', { name: 'Review the pull request' }).click()
    await page.getByText('They can be merged.').waitFor()
    await page.getByRole('button', { name: 'Update the branch' }).click()
    await page.getByText('Up to date with next').waitFor()
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Merged', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' })
    assert.equal(await show(t.repository, 'next', hostileName), 'The Acme Program.')
    assert.equal(await git(t.repository, 'rev-parse', 'main'), main)
    assertQuiet()
    await page.close()
  })

  test('a conflict names its files, and leads to the job', async () => {
    const { id } = await t.client.ended((await t.client.create('Rename "Home" to "Start"')).id)
    const { number } = (await t.client.pulls()).find(({ jobId }) => jobId === id) ?? {}
    pushAsPerson(t.repository, 'main', { 'index.md': '# House\n\nUse the Acme CLI.\n' })
    const page = await t.open(`${pulls}/${number}`)
    await page.getByText('main has 1 commit that this branch does not have, and both changed the same').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^index\.md$/ })
      .waitFor()
    assert.ok(await page.getByRole('button', { name: 'Merge' }).isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Update the branch' }).count(), 0)
    await assertBothThemes(page, 'a conflict')
    await page.getByRole('link', { name: 'Send the job a message' }).click()
    await page.waitForURL(`${t.address}/projects/${t.client.projectId}/jobs/${id}`)
    await page.getByRole('textbox', { name: 'Message to the agent' }).waitFor()
    assertQuiet()
    await page.close()
  })

  test('its link leads into the dashboard; without a session it is a page', async () => {
    const pull = (await t.client.pulls()).find(({ number }) => number === 1)
    assert.ok(pull)
    const anonymous = await fetch(pull.link)
    assert.match(await anonymous.text(), /Comment or merge in the dashboard/)
    const page = await t.chromium.context.newPage()
    await page.goto(`${pull.link}?plain`)
    assert.equal(new URL(page.url()).pathname, new URL(pull.link).pathname)
    await page.goto(pull.link)
    await page.waitForURL(`${t.address}${pulls}/1`)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor()
    await assertBothThemes(page, 'the question before closing')
    await page.getByRole('button', { name: 'Close it' }).click()
    await page.getByText('Closed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Merge' }).waitFor({ state: 'detached' })
    assertQuiet()
    await page.close()
  })
})
