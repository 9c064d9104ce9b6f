// Before a run acts on comments of a forge, asks again whether their authors may push: the right may be gone since they
// wrote. A message of such a comment is not given to the agent, now or later: the mention alone
// keeps its words. The forge shows why.

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import { mayWriteNow } from './permission.ts'
import { countWaitingMessages } from '../store.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import type { RunPart } from '../run/context.ts'

/** In the place of its words. */
const leftOut = JSON.stringify('(Left out: its author may not push any more.)')

type Waiting = { readonly id: string; readonly author_id: string; readonly author: string; readonly message_id: string }

/** Throws `writer_required` if no other message waits, and the failures of the host. */
export async function refuseLostWriters(context: LeasedRun & RunPart<'job', 'db' | 'hostOf'>): Promise<void> {
  const { deps, job, signal } = context
  const waiting = await listWaiting(context)
  if (waiting.length === 0) return
  const host = await deps.hostOf(job.project_id, signal)
  const lost: Waiting[] = []
  for (const mention of waiting) {
    const person = { id: mention.author_id, login: mention.author }
    const asking = { db: deps.db, projectId: job.project_id }
    // Without a host nobody can say so.
    if (!host || (await mayWriteNow({ ...asking, host }, person, signal)) !== true) lost.push(mention)
  }
  if (lost.length === 0) return
  const reason = `${[...new Set(lost.map(({ author }) => author))].join(' and ')} may not push to the repository any more.`
  const left = await writeAsRun(context, async (trx, run) => {
    const messages = lost.map(({ message_id: id }) => id)
    await sql`/* comments.withdraw */ update messages set run_id = ${run.id}, data = null,
        prompt = ${leftOut} where id = any(${messages}::text[]) and run_id is null`.execute(trx)
    await sql`/* comments.refuse */ update mentions set state = 'refused', reason = ${reason}
      where id = any(${lost.map(({ id }) => id)}::text[]) and ended_at is null`.execute(trx)
    return await countWaitingMessages(trx, job.id)
  })
  if (left === 0) throw new Failure('writer_required', `This run does nothing: ${reason}`)
}

async function listWaiting({ deps, job }: RunPart<'job', 'db'>): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`/* comments.waiting */ select mentions.id, author_id, author, message_id
    from mentions join messages on messages.id = message_id
    where mentions.job_id = ${job.id} and mentions.state = 'accepted' and messages.run_id is null`.execute(deps.db)
  return rows
}
