// Sets statuses of commits on GitLab, where each is an external job of the newest pipeline of the commit.
// https://docs.gitlab.com/api/commits/#set-commit-pipeline-status

import { sendStatus } from '../../statuses/send.ts'
import type { CommitStatus } from '../../statuses/status.ts'
import type { GitLab } from '../gitlab.ts'
import { placeOf } from '../requests.ts'

const states = { success: 'success', failure: 'failed', pending: 'pending' } as const

export async function setGitLabStatus(
  gitlab: GitLab,
  { commit, context, state, text, url }: CommitStatus,
  signal: AbortSignal,
): Promise<void> {
  const body = { state: states[state], name: context, description: text, ...(url === null ? {} : { target_url: url }) }
  const request = { path: `${gitlab.project}/statuses/${commit}`, body }
  await sendStatus({ place: placeOf(gitlab), asked: gitlab.asked.statuses, isSet }, request, signal)
}

/** GitLab changes no job to the state that it has, so a text that comes with the same state is left out. */
function isSet(words: string): boolean {
  return /cannot transition status/i.test(words)
}
