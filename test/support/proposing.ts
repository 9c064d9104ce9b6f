// A branch with a change and its own pull request, as a run of a job makes them.

import assert from 'node:assert/strict'
import { createOwnForge } from '../../src/forge/own/forge.ts'
import { pullJobs } from '../../src/jobs/pulls/pull-jobs.ts'
import type { Git } from '../../src/git/types.ts'
import type { Proposed } from '../../src/jobs/run/propose.ts'
import { addRunningRun, completeRun, toLeased } from './database.ts'
import { signal, type TestRemote } from './git-remote.ts'
import { publicUrl, type TestApp } from './openapi-app.ts'

export type RunningProposal = {
  readonly number: number
  readonly jobId: string
  readonly runId: string
  readonly change: NonNullable<Proposed['change']>
}

type Wanted = { readonly branch: string; readonly files: Record<string, string>; readonly title: string }

const words = { note: '**Read** it.', body: 'Because.', facts: '---\n\n**Asked:** `x`' }
const usual = { ...words, draft: false, labels: [], reviewers: [], base: 'main' }

/** Leaves the run of the proposal running. */
export async function proposeChange(
  { db, project }: Pick<TestApp, 'db' | 'project'>,
  { git, remote }: { readonly git: Git; readonly remote: TestRemote },
  { branch, files, title }: Wanted,
): Promise<RunningProposal> {
  const base = remote.head('main') ?? ''
  remote.git(['branch', branch, 'main'])
  const head = remote.commit(branch, files)
  const repository = git.repository(project.id, remote.directory)
  await repository.fetch({ branch: 'main', branches: [branch] }, signal())
  const forge = createOwnForge({ db, git, jobs: pullJobs, publicUrl })
  const { jobId, ...claim } = await addRunningRun(db, project.id)
  const proposal = { ...usual, jobId, claim, title, branch, baseCommit: base, headCommit: head }
  const taken = { ...proposal, claim: { ...claim, fence: claim.fence + 1 } }
  await assert.rejects(forge.propose(project.id, taken), /was taken over/)
  const pull = await forge.propose(project.id, proposal)
  return { number: pull.number, jobId, runId: claim.runId, change: { pull, baseCommit: base, headCommit: head } }
}

/** Ends the run of a proposal, and returns its job. */
export async function endProposal(db: TestApp['db'], { jobId, runId, change }: RunningProposal): Promise<string> {
  const run = await db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
  await completeRun(toLeased(db, run), { change })
  return jobId
}
