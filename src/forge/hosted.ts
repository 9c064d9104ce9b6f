// The forge interface over a host with pull requests: GitHub, GitLab or Gitea. Looks before it creates, and checks the
// claim of the run before each change.

import type { PullRequest } from './forge.ts'
import type { ForgeHost, HostedPull } from './host.ts'

export function toPullRequest({ kind: forge }: ForgeHost, pull: HostedPull): PullRequest {
  const { number, state, draft, mergedAt, link } = pull
  return { forge, number, state, draft, mergedAt, link }
}
