// All jobs and statuses of a commit on GitLab. Jobs of pipelines, also those of other services, are statuses of the commit; the
// pipeline itself says whether more jobs will follow.

import { z } from 'zod'
import { checkOf, failureFrom, mapKnown } from '../../merging/checks.ts'
import type { CheckState, ForgeCheck, Known } from '../../merging/merging.ts'
import { oid, text } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'
import { pageSize, readPages } from './pages.ts'

export const pipelineSchema = z.object({ sha: oid, status: text(50) }).nullish()
type Row = {
  readonly sha?: string | null | undefined
  readonly head_pipeline?: z.infer<typeof pipelineSchema>
}

const statusesSchema = z
  .array(
    z.object({
      id: z.int().positive(),
      name: text(1_000),
      status: text(50),
      allow_failure: z.boolean().nullish(),
      description: text(10_000).nullish(),
      target_url: text(4_000).nullish(),
    }),
  )
  .max(pageSize)
type Status = z.infer<typeof statusesSchema>[number]

export async function readChecks(gitlab: GitLab, row: Row, signal: AbortSignal): Promise<Known<readonly ForgeCheck[]>> {
  const statuses = await readPages(gitlab, `repository/commits/${row.sha ?? ''}/statuses`, statusesSchema, {
    what: 'the statuses of the commit',
    signal,
  })
  return mapKnown(statuses, (rows) => [
    ...rows.map((one) => toCheck(gitlab, one)),
    // Those of merged results are about another commit, and may be there before its jobs are.
    ...(row.head_pipeline ? pipelineOf(row, row.head_pipeline) : []),
  ])
}

/** A status that another service wrote has a number, too, but no trace. */
function toCheck({ client, project }: GitLab, status: Status): ForgeCheck {
  const mayFail = status.allow_failure ?? false
  const check = checkOf(status.name, stateOf(status.status, mayFail))
  if (status.status !== 'failed' || mayFail) return check
  const { id, description, target_url: link } = status
  const readLog = (signal: AbortSignal) => client.readEnd({ path: `${project}/jobs/${id}/trace` }, signal)
  return { ...check, failure: failureFrom({ description, link, readLog }) }
}

function pipelineOf({ sha }: Row, pipeline: NonNullable<Row['head_pipeline']>): readonly ForgeCheck[] {
  const check = checkOf('pipeline', stateOf(pipeline.status, false))
  return pipeline.sha === sha || check.state !== 'green' ? [check] : []
}

/** A job that a person may start, and need not, is no reason to wait. */
function stateOf(status: string, isOptional: boolean): CheckState {
  if (status === 'success' || status === 'skipped' || (status === 'manual' && isOptional)) return 'green'
  return ['failed', 'canceled', 'canceling'].includes(status) ? 'red' : 'pending'
}
