// Recognises why a host refused a push or a fetch, from its words, in one table: protected branches, archived
// repositories, missing rights. Used only after a refusal: a hook can print the same words during a successful push.

import type { FailureCode } from '../../lib/failure.ts'

type Refusal = readonly [words: RegExp, code: FailureCode, message: string]

export const archivedWords =
  /archived so (it )?is read-only|\barchived (repository|project|repo)\b|\b(repository|project|repo) (is|was) archived/i

const refusals: readonly Refusal[] = [
  [archivedWords, 'repository_archived', 'The repository is archived'],
  [
    /refusing to allow .{0,80}to create or update workflow/i,
    'policy_refused',
    'The credential may not change workflows, and Docent does not ask for that right',
  ],
  // Before the next entry: GitHub sends this message together with the code of a protected branch.
  [/push cannot contain secrets|\bGH009\b/i, 'forge_refused', 'The host found a secret in the change'],
  [
    /\bGH006\b|\bGH013\b|protected branch|repository rule violations|protected ref\b|permission denied to update branch|\bTF402455\b/i,
    'branch_protected',
    'The host protects the branch',
  ],
  [
    /denied to (deploy key|user)|permission to \S+ denied|marked as read.only|access to repository not granted|deploy key does not|not allowed to (push|upload|download)|\bTF401027\b/i,
    'repository_unauthorized',
    'The credential lacks a right on the repository',
  ],
]

/** `text` is the whole output of git and the host. Returns undefined if no entry of the table matches. */
export function hostRefusal(text: string): { readonly code: FailureCode; readonly message: string } | undefined {
  const found = refusals.find(([words]) => words.test(text))
  return found && { code: found[1], message: found[2] }
}
