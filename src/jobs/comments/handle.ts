// Acts on the comments that were noted, and answers them. What is to be done follows from the rows, so it does not matter which
// process read a comment, whether by a look or after a delivery, or whether that process still exists.

import { sql } from 'kysely'
import type { Db } from '../../postgres/types.ts'
import { countUses } from '../../requests/rate-limits.ts'
import { budget, type HostOptions, missedBy, openHost } from '../upkeep/poll-pulls.ts'
import { type ActContext, actOnMentions } from './act.ts'
import { type AnswerContext, answerMentions, hasNews } from './answer.ts'
import { readNames } from './names.ts'

export type HandleOptions = HostOptions & Omit<ActContext, 'host' | 'names'> & Omit<AnswerContext, 'host' | 'names'>

/** Throws only errors of the database. */
export async function handleMentions(options: HandleOptions): Promise<void> {
  for (const projectId of await listDue(options.db)) {
    if (options.signal.aborted) return
    await handleProject(options, projectId)
  }
}

async function listDue(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{
    project_id: string
  }>`/* comments.due */ select distinct mentions.project_id from mentions
      left join messages on messages.id = message_id left join runs on runs.id = messages.run_id
      left join jobs on jobs.id = mentions.job_id
    where mentions.ended_at is null and try_after <= now() and (mentions.state = 'new'
      or ((said is null or ${hasNews}) and (claimed_until is null or claimed_until <= now())))
    limit 100`.execute(db)
  return rows.map(({ project_id: id }) => id)
}

async function handleProject(options: HandleOptions, projectId: string): Promise<void> {
  const { db } = options
  const opened = await openHost(options, projectId)
  if ('seconds' in opened) return await wait(db, projectId, opened.seconds)
  const before = opened.countRequests()
  try {
    const context = { ...options, host: opened, names: await readNames(db, projectId) }
    await actOnMentions(context, projectId)
    await answerMentions(context, projectId)
  } catch (error) {
    await wait(db, projectId, (await missedBy(options, { project_id: projectId }, error)).seconds)
  } finally {
    await countUses(db, budget, opened.account, opened.countRequests() - before)
  }
}

/** A rate limit or an outage affects all of the project. */
async function wait(db: Db, projectId: string, seconds: number): Promise<void> {
  await sql`/* comments.pause */ update mentions set try_after = now() + make_interval(secs => ${seconds})
    where project_id = ${projectId} and ended_at is null and try_after <= now()`.execute(db)
}
