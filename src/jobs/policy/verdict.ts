// The result of judging a change against the policy: a value that the loop, the step before the commit and the pull
// request read.

/**
 * `never`: no setting allows it. `protected`: `pathPolicy.unprotect` may allow it. `denied`: it matches `deny`, or
 * nothing of `allow`. `secret`: an added line has a token in it. `code`: configuration runs code that it did not run.
 */
export type FindingKind = 'never' | 'protected' | 'denied' | 'secret' | 'code'

export type Finding = {
  readonly kind: FindingKind
  readonly path: string
  /** Counted from 1, in the changed file; null for a finding about the path. */
  readonly line: number | null
  /** The rule, to follow the path: `is protected: a workflow of GitHub Actions`. Never has a secret in it. */
  readonly message: string
  /** Says how a person could change the project so that the change is accepted; null when there is nothing. */
  readonly remedy: string | null
}

export type PolicyVerdict = {
  /** The change may not be published while this list has something in it. */
  readonly refused: readonly Finding[]
  /** The pull request is a draft that names these in its first line. */
  readonly shown: readonly Finding[]
}
