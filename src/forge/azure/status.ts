// Sets statuses of commits on Azure DevOps. It keeps all that a context ever had, and shows the last one.
// https://learn.microsoft.com/en-us/rest/api/azure/devops/git/statuses/create

import { sendStatus } from '../statuses/send.ts'
import type { CommitStatus } from '../statuses/status.ts'
import { type Azure, placeOf } from './azure.ts'

const states = { success: 'succeeded', failure: 'failed', pending: 'pending' } as const

export async function setAzureStatus(
  azure: Azure,
  { commit, context, state, text, url }: CommitStatus,
  signal: AbortSignal,
): Promise<void> {
  const [genre, name = ''] = context.split('/')
  const body = {
    state: states[state],
    description: text,
    context: { genre, name },
    ...(url === null ? {} : { targetUrl: url }),
  }
  const request = { path: `${azure.path}/commits/${commit}/statuses`, body }
  await sendStatus({ place: placeOf(azure), asked: azure.asked.statuses }, request, signal)
}
