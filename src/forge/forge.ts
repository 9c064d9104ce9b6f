// The interface of a project's forge. Docent's own pull requests (`own/`) implement it, and the hosted forges do
// (`hosted.ts`); `createForge` asks the one that a pull request is on.

import type { ForgeKind, PullState } from './host.ts'

export type PullForge = ForgeKind | 'docent'

/** Numbers are unique within a forge. A project that changes its forge keeps the pull requests that it has. */
export type PullKey = { readonly forge: PullForge; readonly number: number }

export type PullRequest = PullKey & {
  readonly state: PullState
  readonly draft: boolean
  /** ISO 8601; null when it is not merged, or nobody knows when it was. */
  readonly mergedAt: string | null
  readonly base: string
  /** The commit at the head of it, also after it has ended; undefined if the forge does not say. */
  readonly head: string | undefined
  /** An absolute address, or a path that this service serves. */
  readonly link: string
}

/** As people call them. */
export const forgeNames: Readonly<Record<PullForge, string>> = {
  docent: 'Docent',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  bitbucket: 'Bitbucket',
  azure: 'Azure DevOps',
}

/** Parts of a proposal that the forge did not accept. */
export type Refused = {
  readonly labels: readonly string[]
  readonly reviewers: readonly string[]
  readonly assignees: readonly string[]
  /** Its title. */
  readonly milestone: string | null
  /** Why the forge does not merge the pull request by itself, as a sentence. */
  readonly autoMerge: string | null
}
export const nothingRefused: Refused = { labels: [], reviewers: [], assignees: [], milestone: null, autoMerge: null }
export type ProposedPull = PullRequest & { readonly refused?: Refused }

/** The claim of the calling run. A forge that can check claims refuses a lost one. */
export type RunClaim = { readonly runId: string; readonly fence: number }

export type Proposal = {
  readonly jobId: string
  readonly claim: RunClaim
  readonly title: string
  readonly body: string
  /** Markdown that the service itself adds, see `body.ts`: the first lines of the body, and its end. */
  readonly note: string
  /** Facts that come before the text of the agent. */
  readonly lead?: string
  readonly facts: string
  readonly draft: boolean
  readonly labels: readonly string[]
  readonly reviewers: readonly string[]
  readonly assignees?: readonly string[]
  readonly milestone?: string | null
  readonly autoMerge?: boolean
  readonly branch: string
  readonly base: string
  /** The base of the open pull request if that branch is gone: `base` takes its place. Any other base stays as people chose it. */
  readonly goneBase?: string | undefined
  readonly baseCommit: string
  readonly headCommit: string
}

/** A part of what `Proposal.facts` had: its Markdown, and what takes its place. */
export type FactsPart = { readonly jobId: string; readonly old: string; readonly new: string }

export type JobBranch = { readonly jobId: string; readonly branch: string }

/** Methods may throw `forge_unavailable` and `forge_rate_limited` (the run tries again), and the refusals of a host. */
export interface Forge {
  /** May read the repository. When `signal` is aborted, throws its reason. */
  get(projectId: string, pull: PullKey, signal: AbortSignal): Promise<PullRequest | undefined>
  /** The pull request of the job from this branch: the open one, else the last. */
  find(projectId: string, place: JobBranch, signal: AbortSignal): Promise<PullRequest | undefined>
  /**
   * Updates the open pull request of the branch, or opens the first one of the job from this branch. Calling it twice
   * creates one. Returns one that is not open if people have ended it, and undefined when a person has already brought the
   * whole change into the base.
   */
  propose(projectId: string, proposal: Proposal, signal: AbortSignal): Promise<ProposedPull | undefined>
  /**
   * Replaces a part of the facts in the body, once: does nothing when the pull request has ended or belongs to another job, or
   * when its facts no longer have the part.
   */
  amend(projectId: string, pull: PullKey, part: FactsPart, signal: AbortSignal): Promise<void>
  /** Does nothing when the pull request has already ended. */
  close(projectId: string, pull: PullKey, claim: RunClaim, signal: AbortSignal): Promise<void>
}
