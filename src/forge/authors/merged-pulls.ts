// The merged pull requests that brought commits to a branch, and who wrote them, as hosts show them. One interface for all hosts.

import type { Author } from '../activity/activity.ts'

export type PullAuthor = Author & {
  /** As the host names the account in a request for a review. */
  readonly reviewer: string
  /** Whether they contribute from outside; null: the pull request does not say, and `ActivityReader.mayWrite` may know. */
  readonly isOutsider: boolean | null
}

export type MergedPull = {
  readonly number: number
  readonly link: string
  /** null: the account is gone. */
  readonly author: PullAuthor | null
}

/** Each pull request once, in the order of the commits. Asks for one commit after the other. */
export async function collectPulls(
  commits: readonly string[],
  read: (commit: string) => Promise<readonly MergedPull[]>,
): Promise<readonly MergedPull[]> {
  const found = new Map<number, MergedPull>()
  for (const commit of commits) for (const pull of await read(commit)) found.set(pull.number, pull)
  return [...found.values()]
}
