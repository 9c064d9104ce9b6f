// What the product asks of a forge, whoever keeps it. Adapters of remote forges will stand beside this file;
// Docent's own pull requests (`src/pulls`) meet the same interface.

export type PullState = 'open' | 'merged' | 'closed'

export type PullRequest = {
  readonly number: number
  readonly state: PullState
  /** An address, or a path that this service serves. */
  readonly link: string
}

/** The claim of the run that asks. A forge that can see claims refuses one that was lost. */
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
  /** Finds the open pull request of the branch and brings it up to date, or opens it: calling twice makes one. */
  propose(projectId: string, proposal: Proposal): Promise<PullRequest>
  /** Nothing to do when it has ended already. */
  close(projectId: string, number: number, claim: RunClaim): Promise<void>
}
