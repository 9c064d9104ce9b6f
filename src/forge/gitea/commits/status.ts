// Sets statuses of commits on Gitea and Forgejo.
// https://docs.gitea.com/api/#tag/repository/operation/repoCreateStatus

import { sendStatus } from '../../statuses/send.ts'
import type { CommitStatus } from '../../statuses/status.ts'
import { type Gitea, placeOf } from '../gitea.ts'

export async function setGiteaStatus(
  gitea: Gitea,
  { commit, context, state, text, url }: CommitStatus,
  signal: AbortSignal,
): Promise<void> {
  const body = { state, context, description: text, ...(url === null ? {} : { target_url: url }) }
  const request = { path: `${gitea.path}/statuses/${commit}`, body }
  await sendStatus({ place: placeOf(gitea), asked: gitea.asked.statuses }, request, signal)
}
