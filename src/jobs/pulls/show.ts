// One pull request as it is now: Docent's own or one on a forge, and how far its base has moved on.

import { forgeNames } from '../../forge/forge.ts'
import type { HostOf } from '../../forge/hosted.ts'
import { getPull, hasPull, type PullsContext, repositoryOf } from '../../forge/own/pulls.ts'
import type { PullNow, PullResponse } from '../../forge/own/response.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { BehindReader } from './behind.ts'
import { findHostedPull } from './hosted.ts'

export type PullNowContext = PullsContext & {
  readonly clock: Clock
  readonly hostOf: HostOf
  readonly behind: BehindReader
}

/** Undefined: the number is that of one of Docent's own, or of no pull request at all. */
export async function findElsewhere(
  context: PullsContext,
  projectId: string,
  number: number,
): Promise<PullResponse | undefined> {
  const isOwn = await hasPull(context, projectId, number)
  return isOwn ? undefined : findHostedPull(context.db, projectId, number)
}

type Refused = { readonly projectId: string; readonly number: number; readonly verb: 'merge' | 'close' | 'comment on' }

/** Throws `forge_refused` for a pull request on a forge, with the address of the page where people do that. */
export async function refuseElsewhere(context: PullsContext, { projectId, number, verb }: Refused): Promise<void> {
  const hosted = await findElsewhere(context, projectId, number)
  if (!hosted) return
  const name = forgeNames[hosted.forge]
  throw new Failure('forge_refused', `Pull request #${number} is on ${name}: ${verb} it there, at ${hosted.link}.`)
}

/** Throws `not_found`. */
export async function findAnyPull(context: PullsContext, projectId: string, number: number): Promise<PullResponse> {
  return (await findElsewhere(context, projectId, number)) ?? getPull(context, projectId, number)
}

export async function showNow(context: PullNowContext, projectId: string, pull: PullResponse): Promise<PullNow> {
  if (pull.state !== 'open' || pull.base === '') return { ...pull, behind: null }
  const key = [projectId, pull.forge, pull.number, pull.base, pull.headCommit].join(' ')
  const behind = await context.behind.read(key, () => repositoryOf(context, projectId), pull)
  return { ...pull, behind }
}
