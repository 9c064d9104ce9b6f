// All check runs and statuses of a commit on GitHub. Its two lists have nothing in common: Actions and Apps write runs, older
// services write statuses.

import { z } from 'zod'
import { checkOf, failureFrom, hasNoLog, type ListPage, mapKnown, readWhole, together } from '../../merging/checks.ts'
import type { CheckFailure, CheckState, ForgeCheck, Known } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { GitHub } from '../github.ts'
import { failureOfRun, type Run, runSchema } from './run-log.ts'

const pageSize = 100
const total = z.int().nonnegative()

const statusesSchema = z.object({
  total_count: total,
  statuses: z
    .array(
      z.object({
        context: text(1_000),
        state: text(50),
        description: text(10_000).nullish(),
        target_url: text(4_000).nullish(),
      }),
    )
    .max(pageSize),
})
type Status = z.infer<typeof statusesSchema>['statuses'][number]
const runsSchema = z.object({ total_count: total, check_runs: z.array(runSchema).max(pageSize) })

export async function readChecks(
  github: GitHub,
  head: string,
  signal: AbortSignal,
): Promise<Known<readonly ForgeCheck[]>> {
  const runs = await readWhole('the checks of the commit', async (page) => {
    const found = await readPage(github, { list: `${head}/check-runs`, page }, runsSchema, signal)
    return found && toPage(found.check_runs, page, found.total_count)
  })
  const statuses = await readWhole('the statuses of the commit', async (page) => {
    const found = await readPage(github, { list: `${head}/status`, page }, statusesSchema, signal)
    return found && toPage(found.statuses, page, found.total_count)
  })
  return together(
    mapKnown(runs, (rows) => rows.map((row) => checkOf(row.name, stateOfRun(row), failureOfRun(github, row)))),
    mapKnown(statuses, (rows) =>
      rows.map((row) => checkOf(row.context, stateOfStatus(row.state), failureOfStatus(row))),
    ),
  )
}

type Asking = { readonly list: string; readonly page: number }

/** Undefined: the credential may not read the list. */
async function readPage<Page>(
  { client, path, asked }: GitHub,
  { list, page }: Asking,
  schema: z.ZodType<Page>,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const query = { per_page: pageSize, page }
  const reply = await client.ask({ method: 'GET', path: `${path}/commits/${list}`, query }, signal)
  return isStatus(reply, 403, 404) ? undefined : parseReply(reply, schema, asked.read)
}

/** A page that is shorter than GitHub's count says is not the last one. */
function toPage<Row>(rows: readonly Row[], page: number, count: number): ListPage<Row> {
  return { rows, next: rows.length === pageSize || (page - 1) * pageSize + rows.length < count }
}

/** GitHub itself counts `neutral` and `skipped` as passed. */
const passed: readonly (string | null)[] = ['success', 'neutral', 'skipped']

function stateOfRun({ status, conclusion }: Run): CheckState {
  if (status !== 'completed') return 'pending'
  return passed.includes(conclusion) ? 'green' : 'red'
}

function stateOfStatus(state: string): CheckState {
  if (state === 'success') return 'green'
  return state === 'pending' ? 'pending' : 'red'
}

/** A status says nothing of a log. */
function failureOfStatus({ state, description, target_url: link }: Status): CheckFailure | undefined {
  if (state !== 'failure' && state !== 'error') return undefined
  return failureFrom({ description, link, readLog: hasNoLog })
}
