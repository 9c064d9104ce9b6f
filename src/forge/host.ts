// The interface of a host with pull requests (GitHub, GitLab, Gitea, Bitbucket Cloud, Azure DevOps): thin calls, one folder per host.
// Nothing here repeats a request: `propose.ts` looks before it does anything again.

import type { MergedPull } from './authors/merged-pulls.ts'
import type { ActivityReader, Read } from './activity/activity.ts'
import type { HostComments } from './comments/comments.ts'
import type { Discussions } from './discussion/discussion.ts'
import type { HostHeads } from './heads/heads.ts'
import type { HostMerging, PullHead } from './merging/merging.ts'
import type { Person } from './publication.ts'
import type { PushRule } from './rules/rule.ts'
import type { CommitStatus } from './statuses/status.ts'

export const forgeKinds = ['github', 'gitlab', 'gitea', 'bitbucket', 'azure'] as const
/** Forgejo speaks Gitea's API. */
export type ForgeKind = (typeof forgeKinds)[number]

export type PullState = 'open' | 'merged' | 'closed'

export const rights = ['read', 'push', 'pullRequests'] as const
export type Right = (typeof rights)[number]

/** The rights of a credential on one repository, as a probe found them. */
export type Access = {
  /** The account that the credential belongs to; null when the host does not name it. */
  readonly account: string | null
  readonly rights: Readonly<Record<Right, 'yes' | 'no' | 'unknown'>>
  /** One for each right that is missing. */
  readonly missing: readonly MissingRight[]
  /** Work that the service leaves out, because it may not do it and no job needs it: a sentence each, with the page to open. */
  readonly off?: readonly string[]
  /** When the credential expires (ISO 8601); null: never, or not known. */
  readonly expiresAt: string | null
  readonly facts?: AccountFacts
}

/** As far as the host says. */
export type AccountFacts = {
  /** Whether everybody may read the repository. */
  readonly isPublic?: boolean | undefined
  /** The addresses of the account. */
  readonly emails?: readonly string[]
}

/** Rights that a recent probe found. */
export type KnownRights = { readonly pullRequests?: 'yes' }

/** `remedy`: where to grant it, as a sentence. `needsNewToken`: the token cannot be changed, so a new one is entered. */
export type MissingRight = { readonly right: Right; readonly remedy: string; readonly needsNewToken?: true }

export type HostedPull = {
  /** The number that people see; for GitLab the `iid`. */
  readonly number: number
  readonly state: PullState
  readonly draft: boolean
  readonly mergedAt: string | null
  readonly link: string
  readonly title: string
  readonly body: string
  readonly base: string
  /** `commit`: empty if the host does not say; also after it has ended the head that it had then. */
  readonly head: { readonly branch: string; readonly commit: string }
  /** Does the head branch belong to the repository that has the branches of jobs, and not to another? */
  readonly isOwn: boolean
  readonly isLocked: boolean
}

export type NewPull = {
  readonly title: string
  readonly body: string
  readonly base: string
  readonly branch: string
  readonly draft: boolean
}

/** `draft`: makes it a draft. A host without drafts leaves that out. */
export type PullChange = {
  readonly title?: string
  readonly body?: string
  /**
   * The body that `body` was made from. A host that sends other requests between a look and an edit reads the body again just
   * before the edit, and fails with `forge_unavailable` if somebody has changed it: no forge has edits with a condition.
   */
  readonly was?: string
  readonly base?: string
  readonly draft?: true
}

/**
 * Results that are no failure of the step: `exists`: a pull request of this branch is open already. `empty`: the branch
 * has no change. `unknown_effect`: the response was lost, so it may have been created.
 */
export type Created =
  | { readonly kind: 'created'; readonly pull: HostedPull }
  | { readonly kind: 'exists' | 'empty' | 'unknown_effect' }

/** `reason`: a word of the host, such as `unsigned` or `unknown_key`. */
export type Verification = { readonly isVerified: boolean; readonly reason: string }

/** `not_yet`: worth asking again soon. `reason`: a sentence for people. */
export type MergeLater = { readonly kind: 'set' } | { readonly kind: 'not_yet' | 'refused'; readonly reason: string }

export type Polled =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'pull'
      readonly pull: HostedPull
      readonly etag: string | null
      /** How many comments the host counts; null: it does not say. */
      readonly comments: number | null
      /** The entries that the pull request itself shows, such as people's opinions. */
      readonly shown?: Pick<Read, 'entries' | 'deleted'>
    }

/**
 * One repository on a host, under one credential. Methods throw `Failure`: `forge_unavailable` and `forge_rate_limited`
 * (both may be tried again), `forge_right_missing`, `repository_unauthorized`, `repository_unreachable`,
 * `repository_archived`, `repository_moved`, `branch_protected`, `base_not_found`, `forge_refused`.
 */
export interface ForgeHost {
  readonly kind: ForgeKind
  /** Names the repository in locks and logs, such as `github.com/acme/docs`. */
  readonly repository: string
  /** Whose requests the host counts together, such as `github.com ada`. */
  readonly account: string
  /** Reads where that tells. Where only an attempt does, it makes one that can change nothing, unless the right is known. */
  access(known: KnownRights, signal: AbortSignal): Promise<Access>
  get(number: number, signal: AbortSignal): Promise<HostedPull | undefined>
  /** Together with `activity`, the one reader of what happens on a pull request. */
  poll(number: number, etag: string | null, signal: AbortSignal): Promise<Polled>
  readonly activity: ActivityReader
  /** The pages of its pull requests and issues, for people's links to them. Missing: the host has no way to show them. */
  readonly discussions?: Discussions
  /** Writes Docent's own comments; `comments/say.ts` calls it. */
  readonly comments: HostComments
  /** Missing: git costs the host less, because it has no ETags or allows few requests. */
  readonly heads?: HostHeads
  /** The requests so far that the host counts: all but those that it found unchanged. */
  countRequests(): number
  /** All pull requests of the branch, in any state; also those that the host lists by mistake are filtered out. */
  listByBranch(branch: string, signal: AbortSignal): Promise<readonly HostedPull[]>
  /** The open pull requests that are to be merged into the branch. */
  listOnto(base: string, signal: AbortSignal): Promise<readonly HostedPull[]>
  create(pull: NewPull, signal: AbortSignal): Promise<Created>
  /** An edit may be sent again. */
  update(number: number, change: PullChange, signal: AbortSignal): Promise<HostedPull>
  close(number: number, signal: AbortSignal): Promise<void>
  /** Adds what is missing, and returns the names that the host does not accept. */
  addLabels(number: number, labels: readonly string[], signal: AbortSignal): Promise<readonly string[]>
  requestReviewers(number: number, reviewers: readonly string[], signal: AbortSignal): Promise<readonly string[]>
  /** Keeps the accounts that it is assigned to, and returns the names that the host does not accept. */
  assign(number: number, accounts: readonly string[], signal: AbortSignal): Promise<readonly string[]>
  /** Returns false if there is no open milestone of this title. */
  setMilestone(number: number, title: string, signal: AbortSignal): Promise<boolean>
  /** Has the host merge it when its checks succeed and its rules allow that, if the head is still this commit. */
  mergeLater(pull: PullHead, signal: AbortSignal): Promise<MergeLater>
  /** The merge by the service itself. */
  readonly merging: HostMerging
  /** The merged pull requests that brought the commits, each once. A host may not know those of some commits. */
  mergedPulls(commits: readonly string[], signal: AbortSignal): Promise<readonly MergedPull[]>
  /** Whether the host shows the commit as signed by a known key. */
  verification(commit: string, signal: AbortSignal): Promise<Verification>
  /** Replaces the status of the commit with the same context. May be sent again. */
  setStatus(status: CommitStatus, signal: AbortSignal): Promise<void>
  /** The rules on what is pushed to a branch, as far as the credential may read them. Missing: the host has no way to show them. */
  rules?(branch: string, signal: AbortSignal): Promise<readonly PushRule[]>
  /** Only for hosts that sign commits created over their API. */
  readonly commits?: HostCommits
  /** Only for credentials whose account can have a fork of the repository. */
  readonly forks?: HostForks
}

export interface HostForks {
  /** Makes the fork of the account, or finds it. Returns its path; undefined while the host makes it. May be called again. */
  make(signal: AbortSignal): Promise<string | undefined>
  /** Throws `forge_right_missing` unless the fork at the path was made from the repository, and no more people can see it. */
  check(fork: string, signal: AbortSignal): Promise<void>
  /**
   * Brings the default branch of the project's fork up to the repository's. What people have pushed there stays. Does nothing
   * for a project without a fork.
   */
  sync(signal: AbortSignal): Promise<void>
}

export interface HostCommits {
  /**
   * Creates a commit over the API from a tree that was pushed to a temporary ref, and moves the branch to it without
   * force. `expected` null: creates the branch. Returns the host's id of the commit, or where the branch is.
   */
  publish(input: PublishInput, signal: AbortSignal): Promise<Published>
}

export type PublishInput = {
  readonly branch: string
  readonly expected: string | null
  readonly parent: string
  /** The second parent of a merge. */
  readonly merged?: string | undefined
  readonly tree: string
  readonly message: string
  /** Missing or null: the App. The host does not sign the commit of another author. */
  readonly author?: Person | null | undefined
}

export type Published =
  | { readonly kind: 'published'; readonly commit: string; readonly isVerified: boolean }
  | { readonly kind: 'moved'; readonly head: string | null }

/** The use of a token: the work of jobs, a source that is only read, or statuses of commits. */
export type TokenUse = 'jobs' | 'reading' | 'statuses'

/** A token for the host's API; asked for each request. `isRefused`: the host answered 401 to the one before. */
export type TokenSource = (isRefused: boolean, signal: AbortSignal) => Promise<string>
