// A job whose pull request is on a loopback forge, and the service that reads it.

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { toPullRequest } from '../../src/forge/hosted.ts'
import type { ForgeHost } from '../../src/forge/host.ts'
import { type ActivityResponse, pageActivity } from '../../src/jobs/activity/read.ts'
import { minute } from '../../src/jobs/pulls/polls.ts'
import { pollPulls } from '../../src/jobs/upkeep/poll-pulls.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import type { Db } from '../../src/postgres/types.ts'
import { addJob, addProject, completeJob } from './database.ts'
import { type LoopbackSubject, loopbackSubject } from './forge/subjects.ts'
import type { Kind } from './forge/world.ts'
import { type Cleanup, testGit } from './git-remote.ts'
import { plainPolling } from './polling.ts'

/** The id of the entry of a comment. */
export function entryIdOf({ kind }: { readonly kind: Kind }, number: number, id: number): string {
  return kind === 'azure' ? `${number}.${id}.1` : String(id)
}

export const redactor = { redact: (text: string) => text }

type Given = { readonly subject?: LoopbackSubject; readonly clock?: Clock; readonly readsPerHour?: number }

export async function lookedAt(t: Cleanup, db: Db, kind: Kind, options: Given = {}) {
  const { subject: given, clock = systemClock, readsPerHour = plainPolling.readsPerHour } = options
  const subject = given ?? (await loopbackSubject(t, kind))
  const { forge, host } = subject
  const { signal } = new AbortController()
  const projectId = await addProject(db, forge.remote.directory)
  const git = await testGit(t)
  const open = async (branch: string) => {
    const headCommit = await subject.commit(branch, { [`${branch.replace('/', '-')}.md`]: branch })
    const pull = { title: 'Say more', body: 'Because.', base: 'main', branch, draft: false }
    const created = await host.create(pull, signal)
    assert(created.kind === 'created', created.kind)
    const jobId = await addJob(db, projectId)
    await completeJob(db, jobId, { change: { pull: toPullRequest(host, created.pull), baseCommit: 'a', headCommit } })
    return { jobId, number: created.pull.number, headCommit }
  }
  /** As one process does it. */
  const poll = (asking: ForgeHost = host) =>
    pollPulls({
      db,
      git,
      clock,
      log: createLog('silent'),
      ...plainPolling,
      readsPerHour,
      hostOf: async (id) => (id === projectId ? asking : undefined),
      explainRefusal: async (_, error) => error,
      signal,
    })
  const pass = async (seconds: number) => {
    const shift = sql`make_interval(secs => ${seconds})`
    await sql`update jobs set pull_check_after = pull_check_after - ${shift}, updated_at = updated_at - ${shift},
      pull_claimed_until = pull_claimed_until - ${shift} where project_id = ${projectId}`.execute(db)
    await sql`update forge_people set asked_at = asked_at - ${shift} where project_id = ${projectId}`.execute(db)
    forge.advance(seconds * 1000)
  }
  const read = async (jobId: string): Promise<readonly ActivityResponse[]> => {
    const found: ActivityResponse[] = []
    for (let cursor: string | undefined; ;) {
      const filter = { projectId, jobId, limit: 100, cursor }
      const page = await pageActivity({ db, redactor, publicUrl: 'https://docent.example' }, filter)
      found.push(...page.activity)
      if (page.nextCursor === null) return found
      cursor = page.nextCursor
    }
  }
  const look = async (seconds = minute) => {
    await pass(seconds)
    await poll()
  }
  const job = (jobId: string) => db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  return { db, git, projectId, subject, forge, host, remarks: forge.remarks, open, poll, pass, look, read, job }
}
