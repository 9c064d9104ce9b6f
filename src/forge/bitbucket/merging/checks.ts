// All statuses of a commit on Bitbucket, which its Pipelines write, too: the page of such a status has the number of the pipeline.

import { z } from 'zod'
import { checkOf, failureFrom, mapKnown } from '../../merging/checks.ts'
import type { CheckState, ForgeCheck, Known } from '../../merging/merging.ts'
import { text } from '../../reply/shapes.ts'
import type { Bitbucket } from '../bitbucket.ts'
import { readList } from './read-list.ts'

const statusSchema = z.object({
  key: text(300),
  name: text(1_000).nullish(),
  state: text(50),
  description: text(10_000).nullish(),
  url: text(4_000).nullish(),
})
type Status = z.infer<typeof statusSchema>

export async function readStatuses(
  bitbucket: Bitbucket,
  head: string,
  signal: AbortSignal,
): Promise<Known<readonly ForgeCheck[]>> {
  const given = { place: `/commit/${head}/statuses`, what: 'the statuses of the commit', signal }
  const all = await readList(bitbucket, given, statusSchema)
  return mapKnown(all, (rows) => rows.map((row) => toCheck(bitbucket, row)))
}

function toCheck(bitbucket: Bitbucket, { key, name, state, description, url }: Status): ForgeCheck {
  const check = checkOf(name || key, stateOf(state))
  if (state !== 'FAILED') return check
  const readLog = (signal: AbortSignal) => readStepLog(bitbucket, url ?? '', signal)
  return { ...check, failure: failureFrom({ description, link: url, readLog }) }
}

function stateOf(state: string): CheckState {
  if (state === 'SUCCESSFUL') return 'green'
  return state === 'INPROGRESS' ? 'pending' : 'red'
}

const stepSchema = z.object({
  uuid: text(100),
  state: z.object({ result: z.object({ name: text(50) }).nullish() }).nullish(),
})

/** The log is that of the first step that failed. */
async function readStepLog(bitbucket: Bitbucket, url: string, signal: AbortSignal): Promise<string | undefined> {
  const { client, path, place } = bitbucket
  const page = URL.parse(url)
  // Also an older form: /addon/pipelines/home#!/results/12
  const number = /\/pipelines\/(?:home#!\/)?results\/(\d+)/.exec(`${page?.pathname ?? ''}${page?.hash ?? ''}`)?.[1]
  if (number === undefined || page?.origin !== new URL(place.webUrl).origin) return undefined
  const steps = `/pipelines/${number}/steps`
  const found = await readList(bitbucket, { place: steps, what: 'the steps', signal }, stepSchema)
  const rows = found.kind === 'known' ? found.value : []
  const failed = rows.find(({ state }) => ['FAILED', 'ERROR'].includes(state?.result?.name ?? ''))
  if (!failed) return undefined
  return await client.readEnd({ path: `${path}${steps}/${encodeURIComponent(failed.uuid)}/log` }, signal)
}
