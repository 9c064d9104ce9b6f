// The forge interface over a host with pull requests, such as GitHub. Looks before it creates, and checks the claim of
// the run before each change.

import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Log } from '../lib/observability/log.ts'
import type { Db } from '../postgres/types.ts'
import { refuseLost } from './claim.ts'
import type { Forge, Proposal, PullRequest, RunClaim } from './forge.ts'
import type { ForgeHost, HostedPull } from './host.ts'
import { amendOnHost, closeOnHost, proposeOnHost, type ProposeContext, pullOfJob } from './propose.ts'
import type { Turns } from './turns.ts'

/** Undefined: the project's pull requests are Docent's own. */
export type HostOf = (projectId: string, signal: AbortSignal) => Promise<ForgeHost | undefined>

export type HostedForgeContext = {
  readonly db: Db
  readonly clock: Clock
  readonly hostOf: HostOf
  readonly turns: Turns
  readonly log: Pick<Log, 'warn'>
}

export function createHostedForge(context: HostedForgeContext): Forge {
  const { db, clock, hostOf, log, turns } = context
  const withClaim = (host: ForgeHost, claim: RunClaim): ProposeContext => {
    return { host, checkClaim: () => refuseLost(db, claim), turns, clock }
  }
  return {
    get: async (projectId, { forge, number }, signal) => {
      const host = await hostOf(projectId, signal)
      // A project that has moved to another forge has no pull request there yet.
      const pull = host?.kind === forge ? await host.get(number, signal) : undefined
      return host && pull && toPullRequest(host, pull)
    },
    find: async (projectId, place, signal) => {
      const host = await hostOf(projectId, signal)
      const pull = host && pullOfJob(await host.listByBranch(place.branch, signal), place.jobId)
      return pull && toPullRequest(host, pull)
    },
    propose: async (projectId, proposal, signal) => {
      const host = await hostOf(projectId, signal)
      if (!host) throw new Failure('repository_unauthorized', 'The credential of the project was deleted meanwhile.')
      const proposed = await proposeOnHost(withClaim(host, proposal.claim), toHostProposal(proposal), signal)
      const refused = Object.values(proposed?.refused ?? {})
        .flat()
        .filter((one) => one !== null)
      if (refused.length > 0) log.warn({ jobId: proposal.jobId, refused }, 'the forge refused parts of a pull request')
      return proposed && { ...toPullRequest(host, proposed.pull), refused: proposed.refused }
    },
    amend: async (projectId, { forge, number }, part, signal) => {
      const host = await hostOf(projectId, signal)
      if (host?.kind === forge) await amendOnHost({ host, turns }, { number, part }, signal)
    },
    close: async (projectId, { forge, number }, claim, signal) => {
      const host = await hostOf(projectId, signal)
      if (host?.kind === forge) await closeOnHost(withClaim(host, claim), number, signal)
    },
  }
}

export function toPullRequest({ kind: forge }: ForgeHost, pull: HostedPull): PullRequest {
  const { number, state, draft, mergedAt, link, base, head } = pull
  return { forge, number, state, draft, mergedAt, link, base, head: head.commit || undefined }
}

function toHostProposal({ body: text, ...proposal }: Proposal) {
  const { claim: _claim, baseCommit: _base, lead = '', ...rest } = proposal
  return { ...rest, lead, text }
}
