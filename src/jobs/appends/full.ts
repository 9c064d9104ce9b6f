// When a pull request that runs of an automation share takes no more of them, so that people can review it: after 20 pages, 10 runs,
// 14 days, or an approval of a person.

import { sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'

export const mostPages = 20
export const mostRuns = 10
export const mostDays = 14
const dayMs = 86_400_000

/** A job whose branch has an open pull request. */
export type PullJob = Pick<JobRow, 'id' | 'branch' | 'pull_forge' | 'pull_number'>

/** Returns the reason as a sentence, or undefined while it takes more. The number of its pages is not known here: `sayTooManyPages`. */
export async function findFull(db: Db | Trx, job: PullJob, now: Date): Promise<string | undefined> {
  const { runs, since, approvals } = await count(db, job)
  const pull = `#${job.pull_number}`
  if (approvals > 0) return `${pull} is approved.`
  if (runs >= mostRuns) return `${pull} has ${mostRuns} runs.`
  const isOld = since !== null && now.getTime() - since.getTime() >= mostDays * dayMs
  return isOld ? `${pull} is ${mostDays} days old.` : undefined
}

export function sayTooManyPages(
  { pull_number: number }: Pick<JobRow, 'pull_number'>,
  pages: number,
): string | undefined {
  return pages >= mostPages ? `#${number} changes ${mostPages} pages or more.` : undefined
}

type Counted = { readonly runs: number; readonly since: Date | null; readonly approvals: number }

/** The last review of each person counts. The age is that of the first message whose run published, also an answer to a question. */
async function count(db: Db | Trx, { id, branch, pull_forge: forge, pull_number: number }: PullJob): Promise<Counted> {
  const { rows } =
    await sql<Counted>`/* appends.count */ select count(distinct runs.id) filter (where contribution is not null)::int as runs,
      min(messages.created_at) as since,
      (select count(*) from (select distinct on (author_id, author) state from pull_activity
        where job_id = ${id} and forge = ${forge ?? 'docent'} and number = ${number} and kind = 'review' and not is_bot
          and deleted_at is null and state <> 'commented'
        order by author_id, author, at desc) as reviews where state = 'approved')::int as approvals
    from runs join messages on messages.run_id = runs.id
    where runs.job_id = ${id} and runs.branch = ${branch} and outcome in ('pull_request', 'partial')`.execute(db)
  return rows[0] ?? { runs: 0, since: null, approvals: 0 }
}
