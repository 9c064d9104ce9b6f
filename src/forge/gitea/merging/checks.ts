// All statuses of a commit on Gitea, which its Actions write, too. Such a status leads to the page of its job and names no number: the
// job is the one of the commit that has this page. Gitea has logs of jobs since 1.24; Forgejo has no way to them.

import { z } from 'zod'
import { checkOf, failureFrom, mapKnown, readWhole } from '../../merging/checks.ts'
import type { CheckState, ForgeCheck, Known } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Gitea } from '../gitea.ts'
import { ask, pageSize } from './ask.ts'

const statusSchema = z.object({
  total_count: z.int().nonnegative(),
  statuses: z
    .array(
      z.object({
        context: text(1_000),
        status: text(50),
        description: text(10_000).nullish(),
        target_url: text(4_000).nullish(),
      }),
    )
    .max(pageSize)
    .nullish(),
})
type Status = NonNullable<z.infer<typeof statusSchema>['statuses']>[number]

export async function readStatuses(
  gitea: Gitea,
  head: string,
  signal: AbortSignal,
): Promise<Known<readonly ForgeCheck[]>> {
  const all = await readWhole('the statuses of the commit', async (page) => {
    const reply = await ask(gitea, { place: `/commits/${head}/status`, page }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const { statuses, total_count: total } = parseReply(reply, statusSchema, gitea.asked.read)
    const rows = statuses ?? []
    return { rows, next: (page - 1) * pageSize + rows.length < total }
  })
  return mapKnown(all, (rows) => rows.map((row) => toCheck(gitea, head, row)))
}

function toCheck(gitea: Gitea, head: string, { context, status, description, target_url: target }: Status): ForgeCheck {
  const check = checkOf(context, stateOf(status))
  if (status !== 'failure' && status !== 'error') return check
  // Those of Actions are paths.
  const page = target ? URL.parse(target, gitea.place.webUrl) : null
  const readLog = async (signal: AbortSignal) => (page ? await readJobLog(gitea, { head, page }, signal) : undefined)
  return { ...check, failure: failureFrom({ description, link: page?.href, readLog }) }
}

function stateOf(status: string): CheckState {
  if (status === 'success' || status === 'skipped') return 'green'
  return status === 'pending' ? 'pending' : 'red'
}

const id = z.int().positive()
const runsSchema = z.object({ workflow_runs: z.array(z.object({ id })).max(pageSize).nullish() })
const jobsSchema = z.object({
  jobs: z
    .array(z.object({ id, html_url: text(4_000).nullish() }))
    .max(pageSize)
    .nullish(),
})

type Job = { readonly head: string; readonly page: URL }

/** Runs of one commit whose jobs are searched. */
const mostRuns = 10

async function readJobLog(gitea: Gitea, { head, page }: Job, signal: AbortSignal): Promise<string | undefined> {
  if (!/\/actions\/runs\/\d+/.test(page.pathname)) return undefined
  const read = async <Rows>(place: string, schema: z.ZodType<Rows>, query = {}): Promise<Rows | undefined> => {
    const reply = await ask(gitea, { place, page: 1, query }, signal)
    return reply.kind === 'response' ? schema.safeParse(reply.body).data : undefined
  }
  const runs = await read('/actions/runs', runsSchema, { head_sha: head })
  for (const run of (runs?.workflow_runs ?? []).slice(0, mostRuns)) {
    const found = await read(`/actions/runs/${run.id}/jobs`, jobsSchema)
    const job = (found?.jobs ?? []).find(({ html_url: link }) => URL.parse(link ?? '')?.pathname === page.pathname)
    if (job) return await gitea.client.readEnd({ path: `${gitea.path}/actions/jobs/${job.id}/logs` }, signal)
  }
  return undefined
}
