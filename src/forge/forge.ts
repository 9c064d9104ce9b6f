// The interface of a forge. Docent's own pull requests (`forge/own`) implement it; adapters of hosted forges will stand
// beside them.

export type PullState = 'open' | 'merged' | 'closed'

export type PullRequest = {
  readonly number: number
  readonly state: PullState
  /** An address, or a path that this service serves. */
  readonly link: string
}

/** The claim of the calling run. A forge that can see claims refuses a lost one. */
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

/** May throw `forge_unavailable` (tried again) and `forge_refused`. */
export interface Forge {
  /** May look at the repository; when `signal` is aborted, throws its reason. */
  get(projectId: string, number: number, signal: AbortSignal): Promise<PullRequest | undefined>
  /** Finds and updates the open pull request of the branch, or opens one. Calling twice makes one. */
  propose(projectId: string, proposal: Proposal): Promise<PullRequest>
  /** Does nothing when it has already ended. */
  close(projectId: string, number: number, claim: RunClaim): Promise<void>
}
