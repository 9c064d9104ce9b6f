// The interface of a forge. Docent's own pull requests (`forge/own`) implement it; adapters of hosted forges will
// follow.

export type PullState = 'open' | 'merged' | 'closed'

export type PullRequest = {
  readonly number: number
  readonly state: PullState
  /** An absolute address, or a path that this service serves. */
  readonly link: string
}

/** The claim of the calling run. A forge that can check claims refuses a lost one. */
export type RunClaim = { readonly runId: string; readonly fence: number }

export type Proposal = {
  readonly jobId: string
  readonly claim: RunClaim
  readonly title: string
  readonly body: string
  readonly branch: string
  readonly base: string
  readonly baseCommit: string
  readonly headCommit: string
}

/** Methods may throw `forge_unavailable` (the run tries again) and `forge_refused`. */
export interface Forge {
  /** May read the repository. When `signal` is aborted, throws its reason. */
  get(projectId: string, number: number, signal: AbortSignal): Promise<PullRequest | undefined>
  /** Updates the open pull request of the branch, or opens one. Calling it twice creates one. */
  propose(projectId: string, proposal: Proposal): Promise<PullRequest>
  /** Does nothing when the pull request has already ended. */
  close(projectId: string, number: number, claim: RunClaim): Promise<void>
}
