import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { addJob, addProject, completeJob } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { loopbackSubject } from '../../../test/support/forge/subjects.ts'
import { rulesFile } from '../../../test/support/forge/world.ts'
import { testGit } from '../../../test/support/git-remote.ts'
import { type ForgeKind, forgeKinds } from '../../forge/host.ts'
import { toPullRequest } from '../../forge/hosted.ts'
import { mergePull } from '../../forge/own/pulls.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Postgres } from '../../postgres/types.ts'
import { pullJobs } from '../pulls/pull-jobs.ts'
import { deleteBranches } from './delete-branches.ts'

const { signal } = new AbortController()
const dayMs = 24 * 3_600_000
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** A job whose pull request is open on a loopback forge. `sweep` judges all branches; `pass` lets days pass. */
async function arrange(t: TestContext, kind: ForgeKind = 'github', deleteBranch = 'merged') {
  const { db } = postgres
  const { forge, host } = await loopbackSubject(t, kind)
  writeFileSync(join(forge.remote.directory, rulesFile), '')
  const git = await testGit(t)
  const projectId = await addProject(db, forge.remote.directory)
  const settings = { pull_request: JSON.stringify({ deleteBranch }) }
  await db.updateTable('projects').set(settings).where('id', '=', projectId).execute()
  const jobId = await addJob(db, projectId)
  const job = () => db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const { branch } = await job()
  const commit = forge.push(branch, { 'docs/a.md': 'a' })
  const created = await host.create({ title: 'Fix', body: 'b', base: 'main', branch, draft: false }, signal)
  assert(created.kind === 'created')
  // As `prepare` and `commit` store it.
  await db.updateTable('runs').set({ branch, commit_id: commit }).where('job_id', '=', jobId).execute()
  const change = { pull: toPullRequest(host, created.pull), baseCommit: 'a', headCommit: commit }
  await completeJob(db, jobId, { change })
  const clock = { days: 0 }
  const failures: Failure[] = []
  const hostOf = async (id: string) => {
    const failure = failures.pop()
    if (failure) throw failure
    return id === projectId ? host : undefined
  }
  const upkeepTime = () => Promise.resolve(new Date(Date.now() + clock.days * dayMs))
  const sweep = () => deleteBranches({ db, git, hostOf, upkeepTime, log: createLog('silent'), signal })
  const show = (state: 'merged' | 'closed' | 'open') =>
    db.updateTable('jobs').set({ pull_state: state }).where('id', '=', jobId).execute()
  const pass = async (days: number) => {
    clock.days += days
    await sql`update runs set branch_check_after = branch_check_after - make_interval(days => ${days})`.execute(db)
  }
  const run = () => db.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
  const { number } = created.pull
  return { db, forge, host, git, branch, commit, number, sweep, show, pass, run, failures }
}

for (const kind of forgeKinds) {
  test(`a branch is deleted after its pull request was merged on ${kind}`, async (t) => {
    const { forge, branch, commit, number, sweep, show, run } = await arrange(t, kind)
    await sweep()
    assert.equal(forge.remote.head(branch), commit, 'it is open')
    forge.merge(number)
    await show('merged')
    await sweep()
    assert.equal(forge.remote.head(branch), null)
    assert.equal((await run()).branch_check_after, null)
  })

  test(`a branch that another pull request on ${kind} is based on stays until that ends`, async (t) => {
    const { forge, host, branch, number, sweep, show, pass } = await arrange(t, kind)
    forge.push('next', { 'docs/b.md': 'b' })
    const title = 'On top'
    const other = await host.create({ title, body: '', base: branch, branch: 'next', draft: false }, signal)
    assert(other.kind === 'created')
    assert.deepEqual(
      (await host.listOnto(branch, signal)).map((pull) => pull.number),
      [other.pull.number],
    )
    forge.merge(number)
    await show('merged')
    await sweep()
    await sweep()
    assert.notEqual(forge.remote.head(branch), null)
    forge.close(other.pull.number)
    await pass(1)
    await sweep()
    assert.equal(forge.remote.head(branch), null)
  })
}

test('commits that people pushed and merged go with the branch, later ones stay', async (t) => {
  const { forge, branch, number, sweep, show } = await arrange(t)
  forge.push(branch, { 'docs/b.md': 'by a person' })
  forge.merge(number)
  await show('merged')
  const late = forge.push(branch, { 'docs/c.md': 'after the merge' })
  await sweep()
  assert.equal(forge.remote.head(branch), late)
  const second = await arrange(t)
  second.forge.push(second.branch, { 'docs/b.md': 'by a person' })
  second.forge.merge(second.number)
  await second.show('merged')
  await second.sweep()
  assert.equal(second.forge.remote.head(second.branch), null)
})

test('the branch of a closed pull request goes after two weeks, if the project says so', async (t) => {
  const { forge, branch, number, sweep, show, pass } = await arrange(t, 'github', 'ended')
  forge.close(number)
  await show('closed')
  await sweep()
  await pass(13)
  await sweep()
  assert.notEqual(forge.remote.head(branch), null)
  await pass(2)
  await sweep()
  assert.equal(forge.remote.head(branch), null)
})

test('a closed branch stays by default, with commits of people, and when reopened', async (t) => {
  const usual = await arrange(t)
  usual.forge.close(usual.number)
  await usual.show('closed')
  await usual.sweep()
  await usual.pass(31)
  await usual.sweep()
  assert.notEqual(usual.forge.remote.head(usual.branch), null)
  assert.equal((await usual.run()).branch_check_after, null, 'it is not watched for ever')

  const theirs = await arrange(t, 'gitlab', 'ended')
  const late = theirs.forge.push(theirs.branch, { 'docs/b.md': 'by a person' })
  theirs.forge.close(theirs.number)
  await theirs.show('closed')
  await theirs.sweep()
  await theirs.pass(15)
  await theirs.sweep()
  assert.equal(theirs.forge.remote.head(theirs.branch), late)

  const reopened = await arrange(t, 'gitea', 'ended')
  reopened.forge.close(reopened.number)
  await reopened.show('closed')
  await reopened.sweep()
  reopened.forge.reopen(reopened.number)
  await reopened.pass(15)
  await reopened.sweep()
  assert.notEqual(reopened.forge.remote.head(reopened.branch), null)
})

test('never means never, and a forge that does not respond is asked again', async (t) => {
  const never = await arrange(t, 'github', 'never')
  never.forge.merge(never.number)
  await never.show('merged')
  await never.sweep()
  assert.notEqual(never.forge.remote.head(never.branch), null)

  const { forge, branch, number, sweep, show, pass, failures } = await arrange(t)
  forge.merge(number)
  await show('merged')
  failures.push(new Failure('forge_unavailable', 'It is away.'))
  await sweep()
  assert.notEqual(forge.remote.head(branch), null)
  await pass(1)
  await sweep()
  assert.equal(forge.remote.head(branch), null)
})

test('an earlier branch of a job goes when a later run works on another one', async (t) => {
  const { db, forge, branch, number, sweep, run } = await arrange(t)
  forge.merge(number)
  const { job_id: jobId } = await run()
  await db
    .updateTable('jobs')
    .set({ branch: `${branch}-2`, pull_state: null })
    .where('id', '=', jobId)
    .execute()
  await sweep()
  assert.equal(forge.remote.head(branch), null)
})

test("the branch of one of Docent's own pull requests goes after the merge", async (t) => {
  const { db, forge, git, branch, commit, sweep, show, run } = await arrange(t)
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', (await run()).job_id)
    .executeTakeFirstOrThrow()
  const projectId = job.project_id
  forge.pulls.splice(0)
  const at = new Date()
  const words = {
    title: 'Fix',
    body: '',
    note: '',
    facts: '',
    token: 'x',
    base: 'main',
    base_commit: forge.remote.head('main') ?? '',
  }
  const pull = { project_id: projectId, number: 1, job_id: job.id, branch, head_commit: commit, state: 'open' } as const
  await db
    .insertInto('pulls')
    .values({ ...words, ...pull, created_at: at, updated_at: at })
    .execute()
  await show('merged')
  await sweep()
  assert.equal(forge.remote.head(branch), commit, 'it is still open')
  const context = { db, git, jobs: pullJobs, publicUrl: '' }
  await mergePull(context, { projectId, number: 1 }, signal)
  await sql`update runs set branch_check_after = now() where job_id = ${job.id}`.execute(db)
  await sweep()
  assert.equal(forge.remote.head(branch), null)
})
