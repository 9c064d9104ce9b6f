// Says on the pull request what became of failed checks, in one comment for all heads that is edited in place. The look that calls this
// has claimed the pull request, and the comment is found by its marker, so each step may run again.

import { sql } from 'kysely'
import type { Finish } from '../../agent/tool.ts'
import { say } from '../../forge/comments/say.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { Clock } from '../../lib/clock.ts'
import { inlineCode } from '../../lib/plain-text.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { titleOf } from '../comments/answer.ts'
import { command } from '../comments/mention.ts'
import type { CallNames } from '../comments/names.ts'

export type SayChecksContext = {
  readonly db: Db
  readonly clock: Clock
  readonly publicUrl: string | undefined
  readonly signal: AbortSignal
}

const sayingMs = 15_000

type Place = { readonly host: Pick<ForgeHost, 'comments'>; readonly names: CallNames }

/** Throws the failures of the host. */
export async function sayForgeChecks(context: SayChecksContext, { host, names }: Place, job: JobRow): Promise<void> {
  const { db, clock, signal } = context
  const last = await findLast(db, job.id)
  const text = last && wordsOf(last, linkOf(context, job), callOf(names))
  if (!last || text === undefined || text === last.said || job.pull_number === null) return
  const comment = { name: `checks-${job.id}`, text, since: last.first_at.toISOString(), account: names.account }
  const on = { kind: 'pull', number: job.pull_number } as const
  await say({ host, clock, deadlineMs: sayingMs }, { on, ...comment }, signal)
  await sql`/* forgeChecks.said */ update forge_checks set said = ${text}
    where job_id = ${job.id} and head_commit = ${last.head_commit}`.execute(db)
}

type Last = {
  readonly head_commit: string
  readonly state: 'given' | 'left'
  readonly reason: string | null
  readonly failed: string
  readonly said: string | null
  readonly first_at: Date
  readonly run_state: string | null
  readonly error_code: string | null
  readonly finish: string | null
  readonly commit_id: string | null
}

async function findLast(db: Db, jobId: string): Promise<Last | undefined> {
  const { rows } = await sql<Last>`/* forgeChecks.last */ select head_commit, forge_checks.state, reason, failed, said,
      (select min(seen_at) from forge_checks as own where own.job_id = ${jobId}) as first_at,
      runs.state as run_state, runs.error_code, runs.finish, runs.commit_id
    from forge_checks left join messages on messages.id = message_id left join runs on runs.id = messages.run_id
    where forge_checks.job_id = ${jobId} order by forge_checks.seen_at desc limit 1`.execute(db)
  return rows[0]
}

function linkOf({ publicUrl }: SayChecksContext, { id, project_id: projectId }: JobRow): string {
  return publicUrl === undefined ? 'job' : `[job](${publicUrl}/projects/${projectId}/jobs/${id})`
}

function callOf({ names: [name] }: CallNames): string {
  return name === undefined ? command : `@${name}`
}

const mostNamed = 5

/** Undefined: the agent still works on it. */
function wordsOf(last: Last, job: string, call: string): string | undefined {
  const names = (JSON.parse(last.failed) as readonly string[]).map((name) => inlineCode(name, 100))
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const failed = `Failed on ${last.head_commit.slice(0, 10)}: ${names.slice(0, mostNamed).join(', ')}${more}.`
  if (last.state === 'left') {
    return `${failed} Docent does not repair this. ${last.reason ?? ''} Write to the ${job}, or here with \`${call}\`.`
  }
  if (last.run_state !== 'ended') return undefined
  return `${failed} ${endOf(last, job)}`
}

/** Without the words of the model: it has read logs that readers of the pull request may not be allowed to read. */
function endOf({ error_code: error, finish, commit_id: commit }: Last, job: string): string {
  if (error !== null) return `Docent could not repair this: ${titleOf(error)}. See the ${job}.`
  const { kind } = finish === null ? { kind: 'no_change' } : (JSON.parse(finish) as Finish)
  if (kind === 'question') return `Docent has a question about this: see the ${job}.`
  if (kind === 'no_change' || commit === null) return `Docent changed nothing: the ${job} says why.`
  return `Docent has changed the documentation in ${commit.slice(0, 10)}: see the ${job}.`
}
