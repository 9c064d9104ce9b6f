import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { completeJob } from '../../../../test/support/database.ts'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../../../test/support/openapi-app.ts'
import { createRemote, testGit, type TestRemote } from '../../../../test/support/git-remote.ts'
import { endProposal, proposeChange, type RunningProposal } from '../../../../test/support/proposing.ts'
import type { Git } from '../../../git/types.ts'
import type { PullNow, PullResponse } from '../../../forge/own/response.ts'
import type { CommentResponse } from '../../../jobs/pulls/comments.ts'
import { createBehindReader } from '../../../jobs/pulls/behind.ts'
import { systemClock } from '../../../lib/clock.ts'

type Started = Awaited<ReturnType<TestApp['start']>>
type Hook = () => Promise<void> | void

suite('pull requests over HTTP', () => {
  const closers: Hook[] = []
  const cleanup = { after: (hook: Hook) => void closers.unshift(hook) }
  let t: TestApp
  let git: Git
  let remote: TestRemote
  let call: Started['call']
  let app: Started['app']
  let pulls: string
  let now = Date.parse('2026-11-22T09:00:00Z')
  const clock = { ...systemClock, now: () => new Date(now) }
  const log = { debug: () => undefined }
  let running: RunningProposal | undefined

  before(async () => {
    t = await openTestApp()
    git = await testGit(cleanup)
  })
  beforeEach(async () => {
    remote = createRemote(cleanup)
    remote.commit('main', { 'docs/a.md': 'one\ntwo\nthree\n', 'docs/b.md': 'b\n' })
    await t.db.updateTable('projects').set({ repository: remote.directory }).where('id', '=', t.project.id).execute()
    await t.db.deleteFrom('pulls').execute()
    ;({ call, app } = await t.start({ pulls: { ...t.deps.pulls, git, behind: createBehindReader({ clock, log }) } }))
    pulls = `/v1/projects/${t.project.id}/pulls`
  })
  after(async () => {
    for (const close of closers) await close()
  })

  async function propose(branch: string, files: Record<string, string>, title = 'Fix a'): Promise<PullResponse> {
    running = await proposeChange(t, { git, remote }, { branch, files, title })
    const shown = await show(String(running.number))
    now += 60_000
    return shown
  }
  /** Ends the run of the last proposal. */
  const endRun = () => endProposal(t.db, running ?? assert.fail('nothing was proposed'))
  const readJob = (id: string) => t.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const show = async (path: string, method = 'GET') =>
    (await (await call(`${pulls}/${path}`, { method })).json()) as PullNow

  const tokenOf = (pull: PullResponse) => new URL(pull.link).pathname

  test('they are listed newest first, by state, and shown by number', async () => {
    const one = await propose('docent/1', { 'docs/a.md': 'one\n' })
    const two = await propose('docent/2', { 'docs/b.md': 'c\n' })
    assert.equal((await call(`${pulls}/2/close`, { method: 'POST' })).status, 200)
    const list = async (query: string) =>
      ((await (await call(`${pulls}${query}`)).json()) as { pulls: PullResponse[] }).pulls.map((pull) => pull.number)
    assert.deepEqual(await list(''), [2, 1])
    assert.deepEqual(await list('?state=open'), [1])
    assert.deepEqual(await list('?state=closed'), [2])
    assert.deepEqual(await list('?state=merged'), [])
    await expectProblem(await call(`${pulls}?state=done`), 400, 'invalid_input')
    assert.deepEqual([one.number, two.number, one.state], [1, 2, 'open'])
    for (const number of ['3', '0', '01', '-1', '1.0', 'x', '99999999999', '%00']) {
      const problem = await expectProblem(await call(`${pulls}/${number}`), 404, 'not_found')
      assert.equal(problem.detail, 'There is no such pull request in this project.')
    }
  })

  test('files are shown before and after the change, as bytes and as a page', async () => {
    await propose('docent/1', { 'docs/a.md': '# Two <script>x</script>\n' })
    const get = (query: string, form = '') => call(`${pulls}/1/files${form}?${query}`)
    const bytes = await get('path=docs/a.md&at=base')
    assert.equal(bytes.headers.get('Content-Disposition'), 'attachment')
    assert.equal(await bytes.text(), 'one\ntwo\nthree\n')
    assert.equal(await (await get('path=docs/a.md')).text(), '# Two <script>x</script>\n')
    const page = await get('path=docs/a.md', '.html')
    const text = await call(`${pulls}/1/text.html`)
    for (const { headers } of [page, text])
      assert.match(headers.get('Content-Security-Policy') ?? '', /default-src 'none'.*sandbox/)
    assert.equal(await text.text(), '<p>Because.</p>')
    assert.match(await page.clone().text(), /^<h1>Two <code class="html">&#x3C;script><\/code>/)
    const same = await app.request(`${pulls}/1/files?path=docs/a.md&preview=true`, {
      headers: { Authorization: `Bearer ${t.keys.read}` },
    })
    assert.equal(same.headers.get('Content-Type'), 'text/html; charset=UTF-8')
    assert.equal(await same.text(), await page.text())
    for (const path of ['docs/c.md', '../docs/a.md', 'docs'])
      await expectProblem(await get(`path=${path}`), 404, 'not_found')
    for (const query of ['path=docs/a.md&at=now', 'at=head'])
      await expectProblem(await get(query), 400, 'invalid_input')
  })

  test('a comment on a line becomes a message to the job, once', async () => {
    await propose('docent/1', { 'docs/a.md': 'one\n2\nthree\n' })
    const jobId = await endRun()
    const send = (json: unknown, headers = {}) => call(`${pulls}/1/comments`, { json, headers })
    const comment = { path: 'docs/a.md', line: 2, text: 'Rename "Acme CLI" to "Acme Command"' }
    const key = { 'Idempotency-Key': 'one' }
    const first = await send(comment, key)
    const shown = (await first.json()) as CommentResponse
    assert.deepEqual(
      [first.status, shown.quote, shown.at, shown.author, shown.runId],
      [201, '2', 'head', 'write', null],
    )
    assert.deepEqual(await (await send(comment, key)).json(), shown)
    await send({ ...comment, at: 'base', text: 'Why?' })
    const { comments } = (await (await call(`${pulls}/1/comments`)).json()) as { comments: CommentResponse[] }
    assert.deepEqual(
      comments.map(({ quote, text }) => `${quote} ${text}`),
      [`2 ${comment.text}`, 'two Why?'],
    )
    const sent = await t.db
      .selectFrom('messages')
      .select('prompt')
      .where('job_id', '=', jobId)
      .orderBy('ordinal')
      .execute()
    const place = 'Comment on line 2 of "docs/a.md"'
    const prompts = [`${place}:\n> 2\n\n${comment.text}`, `${place} before the change:\n> two\n\nWhy?`]
    assert.deepEqual(
      sent.slice(-2).map(({ prompt }): unknown => JSON.parse(prompt)),
      prompts,
    )
    assert.equal((await readJob(jobId)).status, 'active')
    const states = async () =>
      ((await (await call(`${pulls}/1/comments`)).json()) as { comments: CommentResponse[] }).comments.map(
        ({ state }) => state,
      )
    assert.deepEqual(await states(), ['waiting', 'waiting'])
    const run = await t.db
      .selectFrom('runs')
      .select('id')
      .where('job_id', '=', jobId)
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow()
    await t.db
      .updateTable('messages')
      .set({ run_id: run.id } as never)
      .where('job_id', '=', jobId)
      .where('id', '=', shown.messageId)
      .execute()
    assert.deepEqual(await states(), ['working', 'waiting'])
    // The next test claims its own run, not this one.
    await completeJob(t.db, jobId)
  })

  test('a comment without its line, by a reader, or on a closed pull request is refused', async () => {
    await propose('docent/1', { 'docs/a.md': 'one\n2\nthree\n' })
    const comment = { path: 'docs/a.md', line: 4, text: 'Why?' }
    const send = (json: unknown, key = t.keys.write) => call(`${pulls}/1/comments`, { json, key })
    assert.equal((await send(comment)).status, 201)
    for (const wrong of [{ line: 5 }, { path: 'docs/c.md' }, { line: 0 }, { text: ' ' }]) {
      const { details } = await expectProblem(await send({ ...comment, ...wrong }), 400, 'invalid_input')
      assert.equal(details?.[0]?.pointer, `#/${Object.keys(wrong).join()}`)
    }
    await expectProblem(await send(comment, t.keys.read), 403, 'forbidden')
    await expectProblem(await send(comment, t.keys.foreign), 404, 'not_found')
    await expectProblem(await call(`${pulls}/9/comments`, { json: comment }), 404, 'not_found')
    assert.equal((await call(`${pulls}/1/close`, { method: 'POST' })).status, 200)
    await expectProblem(await send(comment), 409, 'pull_not_open')
  })

  test('the diff is text, or by file', async () => {
    await propose('docent/1', { 'docs/a.md': 'one\n2\nthree\n' })
    const text = await (await call(`${pulls}/1/diff`)).text()
    assert.match(text, /^-two\n\+2$/m)
    const { files } = (await (await call(`${pulls}/1/diff`, { headers: { Accept: 'application/json' } })).json()) as {
      files: { path: string; additions: number; deletions: number }[]
    }
    assert.deepEqual(
      files.map(({ path, additions, deletions }) => [path, additions, deletions]),
      [['docs/a.md', 1, 1]],
    )
  })

  test('merging moves the base, and cannot be done twice', async () => {
    await propose('docent/1', { 'docs/a.md': 'merged\n' })
    const merged = (await (await call(`${pulls}/1/merge`, { method: 'POST' })).json()) as PullResponse
    assert.equal(merged.state, 'merged')
    assert.equal(merged.mergeCommit, remote.head('main'))
    assert.equal(remote.git(['show', 'main:docs/a.md']), 'merged')
    await expectProblem(await call(`${pulls}/1/merge`, { method: 'POST' }), 409, 'pull_not_open')
    await expectProblem(await call(`${pulls}/1/close`, { method: 'POST' }), 409, 'pull_not_open')
  })

  test('a conflict is 409 and names the files', async () => {
    await propose('docent/1', { 'docs/a.md': 'ours\n' })
    remote.commit('main', { 'docs/a.md': 'theirs\n' })
    const problem = await expectProblem(await call(`${pulls}/1/merge`, { method: 'POST' }), 409, 'merge_conflict')
    assert.match(problem.detail, /docs\/a\.md/)
  })

  test('a base that has moved on is shown, and merged into the branch on request', async () => {
    const pull = await propose('docent/1', { 'docs/a.md': 'ours\n' })
    assert.deepEqual((await show('1')).behind?.commits, 0)
    const theirs = remote.commit('docent/1', { 'docs/theirs.md': 'theirs\n' })
    const moved = remote.commit('main', { 'docs/c.md': 'c\n' })
    const jobId = await endRun()
    now += 60_000
    const { behind } = await show('1')
    assert.deepEqual([behind?.commits, behind?.conflicts], [1, []])
    assert.match(await (await call(tokenOf(pull), { key: null })).text(), /has 1 commit that this branch does not have/)

    const updated = await show('1/update', 'POST')
    const head = remote.head('docent/1')
    assert.deepEqual([updated.behind?.commits, updated.headCommit, updated.state], [0, head, 'open'])
    assert.equal(remote.git(['log', '-1', '--format=%P %s', 'docent/1']), `${theirs} ${moved} Merge main into docent/1`)
    assert.equal(remote.git(['show', 'docent/1:docs/a.md']), 'ours')
    const job = await readJob(jobId)
    assert.deepEqual([job.head_commit, job.base_commit, job.status], [head, moved, 'completed'])
    assert.doesNotMatch(await (await call(`${pulls}/1/diff`)).text(), /c\.md/)

    assert.equal((await show('1/update', 'POST')).headCommit, head, 'asked again, nothing happens')
    assert.equal((await readJob(jobId)).version, job.version)
  })

  test('an update is refused while a run works, when it conflicts, and without a branch', async () => {
    await propose('docent/1', { 'docs/a.md': 'ours\n' })
    const head = remote.head('docent/1')
    remote.commit('main', { 'docs/a.md': 'theirs\n' })
    const refused = async (code: string) => {
      const { detail } = await expectProblem(await call(`${pulls}/1/update`, { method: 'POST' }), 409, code)
      return detail
    }
    await refused('job_active')
    await endRun()
    assert.deepEqual((await show('1')).behind?.conflicts, ['docs/a.md'])
    assert.match(await refused('branch_conflict'), /docs\/a\.md/)
    assert.equal(remote.head('docent/1'), head)
    remote.git(['branch', '-D', 'docent/1'])
    now += 60_000
    assert.deepEqual([(await show('1')).behind, (await show('1')).state], [null, 'open'])
    assert.match(await refused('branch_conflict'), /is gone/)
    await call(`${pulls}/1/close`, { method: 'POST' })
    await refused('pull_not_open')
    await expectProblem(await call(`${pulls}/2/update`, { method: 'POST' }), 404, 'not_found')
  })

  test('a repeated update after a lost response is only recorded', async () => {
    await propose('docent/1', { 'docs/a.md': 'ours\n' })
    const jobId = await endRun()
    const before = await readJob(jobId)
    const moved = remote.commit('main', { 'docs/c.md': 'c\n' })
    const tree = remote.git(['merge-tree', '--write-tree', 'docent/1', 'main'])
    const merge = ['commit-tree', tree, '-p', 'docent/1', '-p', 'main', '-m', 'Merge main into docent/1']
    const head = remote.git(merge)
    remote.git(['update-ref', 'refs/heads/docent/1', head])
    const updated = await show('1/update', 'POST')
    assert.deepEqual([remote.head('docent/1'), updated.headCommit], [head, head])
    const job = await readJob(jobId)
    assert.deepEqual([job.head_commit, job.base_commit, job.version], [head, moved, before.version + 1])
  })

  test('a branch that a person merged elsewhere counts as merged when it is updated', async () => {
    await propose('docent/1', { 'docs/a.md': 'ours\n' })
    const jobId = await endRun()
    remote.git(['update-ref', 'refs/heads/main', 'refs/heads/docent/1'])
    remote.commit('main', { 'docs/c.md': 'c\n' })
    await expectProblem(await call(`${pulls}/1/update`, { method: 'POST' }), 409, 'pull_not_open')
    assert.deepEqual([(await show('1')).state, (await readJob(jobId)).pull_state], ['merged', 'merged'])
  })

  test('a repository that is gone is a 503 with Retry-After, and a page that says so', async () => {
    const pull = await propose('docent/1', { 'docs/a.md': 'x\n' })
    await t.db
      .updateTable('projects')
      .set({ repository: `${remote.directory}-gone` })
      .where('id', '=', t.project.id)
      .execute()
    const response = await call(`${pulls}/1/merge`, { method: 'POST' })
    assert.ok([403, 422, 503].includes(response.status), String(response.status))
    if (response.status === 503) assert.ok(response.headers.has('Retry-After'))
    const page = await call(tokenOf(pull), { key: null })
    assert.match(page.headers.get('Content-Type') ?? '', /^text\/html/)
  })

  test('the page opens with its link alone and stays out of search engines', async () => {
    const pull = await propose('docent/1', { 'docs/a.md': 'one\n<b>2</b>\nthree\n' }, '<img src=x onerror=alert(1)>')
    const response = await call(tokenOf(pull), { key: null })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('X-Robots-Tag'), 'noindex')
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
    assert.match(response.headers.get('Content-Security-Policy') ?? '', /^default-src 'none'; style-src 'self';/)
    const page = await response.text()
    assert.match(page, /<meta name="robots" content="noindex"/)
    assert.ok(!page.includes('<img') && !page.includes('<b>2') && !page.includes('<script'))
    assert.match(page, /&lt;b&gt;2&lt;\/b&gt;/)
    assert.equal(pull.body, '**Read** it.\n\nBecause.')
    for (const safe of ['<p><strong>Read</strong> it.</p>', '<p>Because.</p>', '<code>x</code></p>'])
      assert.ok(page.includes(`${safe}</section>`), safe)
  })

  test('an unknown link is a page that says so', async () => {
    for (const token of ['a'.repeat(22), 'short', '%00', 'a'.repeat(5_000), '<script>']) {
      const response = await call(`/pulls/${token}`, { key: null })
      assert.equal(response.status, 404)
      assert.equal(response.headers.get('X-Robots-Tag'), 'noindex')
      assert.match(await response.text(), /<h1>Not found<\/h1>/)
    }
  })

  test('the style is found from the page, and may be kept as long as it does not change', async () => {
    const pull = await propose('docent/1', { 'docs/a.md': 'x\n' })
    const page = await (await call(tokenOf(pull), { key: null })).text()
    const href = /rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? ''
    const style = await app.request(new URL(href, pull.link).href)
    assert.equal(style.headers.get('Content-Type'), 'text/css; charset=utf-8')
    assert.match(style.headers.get('Cache-Control') ?? '', /immutable/)
    assert.equal((await app.request(`${publicUrl}/pulls.css?v=old`)).headers.get('Cache-Control'), 'no-cache')
  })
})
