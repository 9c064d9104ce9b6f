// Sets statuses of commits on Bitbucket, which calls them builds. Each needs an address: without one of the service it is the
// page of the commit. The right to read the repository suffices.
// https://developer.atlassian.com/cloud/bitbucket/rest/api-group-commit-statuses/

import { sendStatus } from '../statuses/send.ts'
import type { CommitStatus } from '../statuses/status.ts'
import { type Bitbucket, placeOf } from './bitbucket.ts'

const states = { success: 'SUCCESSFUL', failure: 'FAILED', pending: 'INPROGRESS' } as const

export async function setBitbucketStatus(
  bitbucket: Bitbucket,
  { commit, context, state, text, url }: CommitStatus,
  signal: AbortSignal,
): Promise<void> {
  const { path, place } = bitbucket
  const page = `${place.webUrl}/${place.path}/commits/${commit}`
  const body = {
    type: 'build',
    key: context,
    name: context,
    state: states[state],
    description: text,
    url: url ?? page,
  }
  const request = { path: `${path}/commit/${commit}/statuses/build`, body }
  await sendStatus({ place: placeOf(bitbucket), asked: bitbucket.asked.statuses }, request, signal)
}
