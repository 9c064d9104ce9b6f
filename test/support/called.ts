// A job whose pull request is on a loopback forge, and the parts of the service that read, act on and answer comments.

import { sql } from 'kysely'
import assert from 'node:assert/strict'
import type { Finish } from '../../src/agent/tool.ts'
import type { ForgeHost } from '../../src/forge/host.ts'
import { handleMentions } from '../../src/jobs/comments/handle.ts'
import { pollIssues } from '../../src/jobs/comments/poll-issues.ts'
import type { PollOptions } from '../../src/jobs/upkeep/poll-pulls.ts'
import { createSyntaxThreads } from '../../src/jobs/policy/content/read/threads.ts'
import { writeAsRun } from '../../src/jobs/queue/lease.ts'
import { type Ended, record } from '../../src/jobs/run/ends/record.ts'
import { createTurnStore, takeMessages } from '../../src/jobs/run/turns.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import type { Db } from '../../src/postgres/types.ts'
import { claimNext, toLeased } from './database.ts'
import { commentsOf } from './forge/azure/threads.ts'
import type { Kind } from './forge/world.ts'
import type { Cleanup } from './git-remote.ts'
import { lookedAt } from './looked-at.ts'
import { createHastyClock } from './memory-host.ts'
import { plainPolling } from './polling.ts'

export async function called(t: Cleanup, db: Db, kind: Kind) {
  const looked = await lookedAt(t, db, kind)
  const { forge, host, projectId, remarks } = looked
  const account = kind === 'github' ? 'docent[bot]' : 'docent-token'
  await db
    .insertInto('credentials')
    .values({
      project_id: projectId,
      kind: 'token',
      forge: kind,
      web_url: forge.web,
      api_url: forge.api,
      account,
      ...plain,
    })
    .execute()
  const options = (asking: ForgeHost) => ({
    db,
    log: createLog('silent'),
    ...plainPolling,
    hostOf: async (id: string) => (id === projectId ? asking : undefined),
    explainRefusal: async (_: string, error: unknown) => error,
    signal: new AbortController().signal,
  })
  const handle = (asking: ForgeHost = host, clock = createHastyClock()) =>
    handleMentions({
      ...options(asking),
      clock,
      modelId: 'test/model',
      publicUrl: 'https://docent.example',
      readSyntax: createSyntaxThreads().read,
      redactor: { hide: (text) => text, redact: (text) => text },
    })
  const look = async (seconds?: number) => {
    await looked.look(seconds)
    await handle()
  }
  /** In the order in which they were written. */
  const messages = async (jobId: string, from = 1) =>
    (await db.selectFrom('messages').selectAll().where('job_id', '=', jobId).orderBy('ordinal').execute())
      .slice(from)
      .map(({ prompt, data }) => ({
        prompt: JSON.parse(prompt) as string,
        data: data === null ? null : (JSON.parse(data) as unknown),
      }))
  const prompts = async (jobId: string) => (await messages(jobId)).map(({ prompt }) => prompt)
  /** The comments of Docent, without their markers. */
  const answers = (number: number) => {
    const threads = kind === 'azure' ? commentsOf(forge.pull(number)).map(({ content }) => content) : []
    const own = remarks.of(number, 'comment').filter(({ login }) => login === account)
    return [...threads, ...own.map(({ text }) => text)].map((text) =>
      text.replace(/\n\n(?:<!-- docent:comment=men_\w+ -->|`docent:men_\w+`)$/, ''),
    )
  }
  const mentions = () =>
    db.selectFrom('mentions').selectAll().where('project_id', '=', projectId).orderBy('seen_at').execute()
  /** Ends the run that the comments started. */
  const finish = async (ending: Finish, change: Ended['change'] = null) => {
    const run = await claimNext(db)
    assert(run)
    const leased = toLeased(db, run)
    await writeAsRun(leased, (trx, run) => takeMessages(trx, run))
    const deps = { reached: async () => {}, redactor: { redact: (text: string) => text }, metrics: unused }
    const store = createTurnStore({ ...leased, deps: deps as never }, unused as never)
    await store.saveFinish(ending)
    await record(leased, { finish: ending, change })
    await handle()
  }
  const forget = (seconds: number) =>
    sql`update mentions set decided_at = decided_at - make_interval(secs => ${seconds}),
      try_after = try_after - make_interval(secs => ${seconds}) where project_id = ${projectId}`.execute(db)
  const polling = (): PollOptions => ({ ...options(host), git: looked.git, clock: createHastyClock() })
  /** As of now. */
  const listenEverywhere = async () => {
    await db.updateTable('projects').set({ mentions: 'everywhere' }).where('id', '=', projectId).execute()
    await lookAtIssues()
  }
  const lookAtIssues = async () => {
    await sql`update issue_polls set check_after = now() where project_id = ${projectId}`.execute(db)
    await pollIssues(polling())
    await handle()
  }
  const jobs = () => db.selectFrom('jobs').selectAll().where('project_id', '=', projectId).execute()
  /** The reactions to a comment that was seen. */
  const seen = { bitbucket: [], azure: [`like ${account}`], other: [`eyes ${account}`] }
  return {
    ...looked,
    seen: kind === 'bitbucket' || kind === 'azure' ? seen[kind] : seen.other,
    listenEverywhere,
    lookAtIssues,
    jobs,
    look,
    handle,
    messages,
    prompts,
    answers,
    mentions,
    finish,
    forget,
    account,
  }
}

const unused = {}
const now = new Date('2026-01-01T00:00:00Z')
const plain = { secret: 'unused', created_at: now, updated_at: now } as const
