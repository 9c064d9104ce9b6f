// Requests about one repository on Azure DevOps that several parts of the adapter send.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { assertVisible, type Branches, explain, refuseMissingBranch } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { type Azure, placeOf, refOf } from './azure.ts'
import { type AzurePull, pullSchema } from './pull.ts'

export async function readPull(
  { client, path, asked }: Azure,
  number: number,
  signal: AbortSignal,
): Promise<AzurePull> {
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  return parseReply(reply, pullSchema, asked.pullRequests)
}

export type PullFields = {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly targetRefName?: string | undefined
  readonly isDraft?: true | undefined
}

/** The same edit may be sent again. JSON omits undefined fields. */
export async function edit(
  azure: Azure,
  number: number,
  fields: PullFields | { readonly status: 'abandoned' },
  signal: AbortSignal,
): Promise<AzurePull> {
  const { client, path, asked } = azure
  const reply = await client.ask({ method: 'PATCH', path: `${path}/pullrequests/${number}`, body: fields }, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(azure), reply, asked.pullRequests, signal)
  // It has ended, and takes no edits then: the next look shows it.
  if (isStatus(reply, 409)) {
    throw new Failure('forge_unavailable', `#${number} of ${asked.read.repository} has ended or was changed meanwhile.`)
  }
  return parseReply(reply, pullSchema, asked.pullRequests)
}

const refsSchema = z.object({ value: z.array(z.object({ name: text(1_000) })).max(1_000) })

export async function refuseMissing(azure: Azure, branches: Branches, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = azure
  await assertVisible(placeOf(azure), asked.read, signal)
  await refuseMissingBranch(branches, asked.read, async (branch) => {
    // The filter is the start of the name.
    const query = { filter: `heads/${branch}` }
    const reply = await client.ask({ method: 'GET', path: `${path}/refs`, query }, signal)
    return !parseReply(reply, refsSchema, asked.read).value.some((ref) => ref.name === refOf(branch))
  })
}
