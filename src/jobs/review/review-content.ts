// Reviews the content of a branch: other sites that it leads to, why its pull request is a draft, and what the policy
// refused. Nothing that it returns contains a secret.

import type { SiteTree } from '../../checks/tree.ts'
import type { Finding } from '../policy/verdict.ts'
import { findDeletions } from '../policy/content/deletions.ts'
import { judgeBranch, policyOf } from '../policy/judge-edits.ts'
import { findSecrets } from '../policy/secrets.ts'
import type { RunContext } from '../run/context.ts'
import { loadMessages, loadRefusedEdits } from './branch-history.ts'
import type { NewHost, Review, ReviewNote } from './review.ts'

export type ReviewedContent = {
  readonly hosts: readonly NewHost[]
  /** Also notes for a review; their kinds say what the first lines of the pull request are about. */
  readonly warnings: readonly Finding[]
  readonly refused: readonly ReviewNote[]
}

/** A branch of a job, from its merge base to the files as they are, or will be, published. */
export type ReviewedBranch = { readonly branch: string; readonly baseCommit: string; readonly head: SiteTree }

export const emptyContent: ReviewedContent = { hosts: [], warnings: [], refused: [] }

type Reviewing = Pick<RunContext, 'deps' | 'job' | 'run' | 'project' | 'repository' | 'signal'>

export async function reviewContent(
  { deps, job, run, project, repository, signal }: Reviewing,
  { branch, baseCommit, head }: ReviewedBranch,
): Promise<ReviewedContent> {
  const base = await repository.tree(baseCommit)
  const history = { db: deps.db, jobId: job.id, branch, upTo: run.number }
  const { shown, hosts } = await judgeBranch({ base, reading: deps.readSyntax, signal }, head)
  const deletions = await findDeletions({
    before: base.entries(),
    after: head.entries(),
    textOf: async (path) => {
      const bytes = await base.read(path).catch(() => undefined)
      return bytes && new TextDecoder().decode(bytes)
    },
    messages: await loadMessages(history),
    mostPercent: policyOf(project).deletedPercent,
  })
  const refused = await loadRefusedEdits(history)
  return {
    hosts: hosts.filter(({ host, path }) => !hasSecret(host) && !hasSecret(path)),
    warnings: [...deletions, ...shown].map(withoutSecrets),
    refused: refused.map(withoutSecrets),
  }
}

/** Names that look like tokens stay out of every text of the service. */
function withoutSecrets<Note extends ReviewNote>(note: Note): Note {
  const { path, message } = note
  return {
    ...note,
    path: hasSecret(path) ? 'a file' : path,
    message: hasSecret(message) ? 'has something with a name that looks like a secret' : message,
  }
}

function hasSecret(text: string): boolean {
  return findSecrets(text).length > 0
}

export function toReview({
  hosts,
  warnings,
  refused,
}: ReviewedContent): Pick<Review, 'hosts' | 'warnings' | 'refused'> {
  return { hosts, refused, warnings: warnings.map(({ path, line, message }) => ({ path, line, message })) }
}
