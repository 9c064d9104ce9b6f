// All checks of a pull request on Azure DevOps: the policies of its target branch with the builds that they start, optional ones
// too, the statuses of the pull request, and those of the commit.

import { z } from 'zod'
import type { ForgeRequest } from '../../client.ts'
import { checkOf, failureFrom, mapKnown, readWhole, together } from '../../merging/checks.ts'
import type { CheckState, ForgeCheck, Known } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'
import { buildOf, buildPage, readBuildLog } from './build-log.ts'

const pageSize = 100

export type Checked = { readonly number: number; readonly head: string; readonly projectId: string }

export async function readChecks(
  azure: Azure,
  { number, head, projectId }: Checked,
  signal: AbortSignal,
): Promise<Known<readonly ForgeCheck[]>> {
  const { path } = azure
  const ofPull = await readStatuses(azure, `${path}/pullRequests/${number}/statuses`, signal)
  const ofCommit = await readStatuses(azure, `${path}/commits/${head}/statuses`, signal)
  const policies = await readPolicies(azure, { number, projectId }, signal)
  return together(together(ofPull, ofCommit), policies)
}

const statusesSchema = z.object({
  value: z
    .array(
      z.object({
        id: z.int().nullish(),
        state: text(50).nullish(),
        description: text(10_000).nullish(),
        targetUrl: text(4_000).nullish(),
        context: z.object({ name: text(1_000).nullish(), genre: text(1_000).nullish() }).nullish(),
      }),
    )
    .max(10_000),
})

type Status = z.infer<typeof statusesSchema>['value'][number]

function toCheck(azure: Azure, { context, state, description, targetUrl: link }: Status): ForgeCheck {
  const name = [context?.genre, context?.name].filter(Boolean).join('/')
  const check = checkOf(name || 'status', stateOf(state))
  if (state !== 'failed' && state !== 'error') return check
  const readLog = (signal: AbortSignal) => readBuildLog(azure, buildOf(azure, link ?? ''), signal)
  return { ...check, failure: failureFrom({ description, link, readLog }) }
}

/** Every state that a check ever had is in the list: the last one of each counts. */
async function readStatuses(azure: Azure, path: string, signal: AbortSignal): Promise<Known<readonly ForgeCheck[]>> {
  const all = await readWhole('the statuses', async () => {
    const rows = await readValue(azure, { method: 'GET', path }, statusesSchema, signal)
    return rows && { rows, next: false }
  })
  return mapKnown(all, (rows) => {
    const inOrder = rows.toSorted((one, other) => (one.id ?? 0) - (other.id ?? 0))
    const byName = new Map(inOrder.map((row) => [JSON.stringify([row.context?.genre, row.context?.name]), row]))
    return [...byName.values()].map((row) => toCheck(azure, row))
  })
}

function stateOf(state: string | null | undefined): CheckState {
  if (state === 'succeeded' || state === 'notApplicable') return 'green'
  return state === 'pending' || state === 'notSet' || state == null ? 'pending' : 'red'
}

const policiesSchema = z.object({
  value: z
    .array(
      z.object({
        status: text(50),
        /** A policy that starts builds names the last one. */
        context: z.object({ buildId: z.int().positive().nullish() }).nullish(),
        configuration: z
          .object({ type: z.object({ id: text(100).nullish(), displayName: text(300).nullish() }).nullish() })
          .nullish(),
      }),
    )
    .max(pageSize),
})

type Pull = Pick<Checked, 'number' | 'projectId'>

async function readPolicies(azure: Azure, { number, projectId }: Pull, signal: AbortSignal) {
  const { root, project } = azure.located
  const path = `${root}/${encodeURIComponent(project)}/_apis/policy/evaluations`
  const artifactId = `vstfs:///CodeReview/CodeReviewId/${projectId}/${number}`
  const all = await readWhole('the policies of the branch', async (page) => {
    const paging = { $top: pageSize, $skip: (page - 1) * pageSize }
    const query = { artifactId, ...paging, 'api-version': '7.1-preview.1' }
    const rows = await readValue(azure, { method: 'GET', path, query }, policiesSchema, signal)
    return rows && { rows, next: rows.length === pageSize }
  })
  return mapKnown(all, (rows) =>
    rows.flatMap((row) => {
      if (row.status === 'notApplicable') return []
      const { id, displayName } = row.configuration?.type ?? {}
      const check = checkOf(displayName ?? 'policy', stateOfPolicy(row.status))
      if (checking.includes(id ?? '')) return [{ ...check, ...failureOfPolicy(azure, row) }]
      // The approval of a reviewer is no check that has appeared, but its lack is a reason to wait.
      return check.state === 'green' ? [] : [{ ...check, isReview: true } as const]
    }),
  )
}

type Policy = z.infer<typeof policiesSchema>['value'][number]

/** A policy that wants a status repeats what the status says. */
function failureOfPolicy(azure: Azure, { status, context }: Policy): Pick<ForgeCheck, 'failure'> {
  const build = context?.buildId ?? undefined
  if (build === undefined || stateOfPolicy(status) !== 'red') return {}
  const link = buildPage(azure, build)
  const readLog = (signal: AbortSignal) => readBuildLog(azure, build, signal)
  return { failure: failureFrom({ description: '', link, readLog }) }
}

/** The types of policies that start a build, and that want a status. */
const checking: readonly string[] = ['0609b952-1397-4640-95ec-e00a01b2c241', 'cbdc66da-9728-4af8-aada-9a5a32e4a226']

function stateOfPolicy(status: string): CheckState {
  if (status === 'approved') return 'green'
  return status === 'queued' || status === 'running' ? 'pending' : 'red'
}

/** Undefined: the credential may not read it. */
async function readValue<Row>(
  { client, asked }: Azure,
  request: ForgeRequest,
  schema: z.ZodType<{ readonly value: readonly Row[] }>,
  signal: AbortSignal,
): Promise<readonly Row[] | undefined> {
  const reply = await client.ask(request, signal)
  return isStatus(reply, 403, 404) ? undefined : parseReply(reply, schema, asked.read).value
}
