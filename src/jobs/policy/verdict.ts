// The result of judging a change against the policy. The agent's loop, the step `policy` and the pull request use it.

/**
 * `never`: no setting allows it. `protected`: `pathPolicy.unprotect` can allow it. `denied`: it matches `deny`, or no glob
 * of `allow`. `secret`: an added line contains a token. `content`: a page gets something that no job may add. The others
 * are shown. `code`: the build or the site runs it. `page`: a page does. `file`: a tool reads it. `redirect`: readers are
 * sent to another host. `include`: a page inserts a file from a new place. `deletion`: pages are deleted that no message
 * names, or many. `attempt`: the policy refused it during a run, so it is not in the change.
 */
export type RefusedKind = 'never' | 'protected' | 'denied' | 'secret' | 'content'
export type ShownKind = 'code' | 'page' | 'file' | 'redirect' | 'include' | 'deletion' | 'attempt'
export type FindingKind = RefusedKind | ShownKind

export type Finding = {
  readonly kind: FindingKind
  readonly path: string
  /** Counted from 1, in the changed file; null for a finding about the path. */
  readonly line: number | null
  /** The rule, which continues the path: `is protected: a workflow of GitHub Actions`. Never contains a secret. */
  readonly message: string
  /** How a person could change the project so that the change is accepted; null if there is no way. */
  readonly remedy: string | null
  /** The key of a configuration as data, with dots: `plugins.macros`. */
  readonly key?: string
  /** A secret, or something that runs in browsers: one attempt is a reason to read the instructions of the model. */
  readonly isGrave?: boolean
  /** The source of an import of a page: `@site/src/components/Chart`. */
  readonly component?: string
}
