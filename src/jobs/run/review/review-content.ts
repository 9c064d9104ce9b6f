// Reviews the content of a branch: other sites that it leads to, why its pull request is a draft, and what the policy
// refused. Nothing that it returns contains a secret.

import type { RefusedEdit } from '../../../agent/refused-edit.ts'
import type { SiteTree } from '../../../sites/tree.ts'
import type { Finding } from '../../policy/verdict.ts'
import { findDeletions } from '../../policy/content/deletions.ts'
import { judgeBranch, policyOf } from '../../policy/judge-edits.ts'
import { findSecrets } from '../../policy/secrets.ts'
import type { RunPart } from '../context.ts'
import { loadMessages, loadRefusedEdits } from '../../review/branch-history.ts'
import type { NewHost, Review, ReviewNote } from '../../review/review.ts'

export type ReviewedContent = {
  readonly hosts: readonly NewHost[]
  /** Also notes for a review; their kinds say what the first lines of the pull request are about. */
  readonly warnings: readonly Finding[]
  /** The shown findings that the settings of the project expect. */
  readonly expected: readonly ReviewNote[]
  readonly refused: readonly ReviewNote[]
}

/** A branch of a job, from its merge base to the files as they are, or will be, published. */
export type ReviewedBranch = {
  readonly branch: string
  readonly baseCommit: string
  readonly head: SiteTree
  /** Whether it has commits of earlier runs or of people. */
  readonly isContinued: boolean
}

export const emptyContent: ReviewedContent = { hosts: [], warnings: [], expected: [], refused: [] }

export async function reviewContent(
  {
    deps,
    job,
    run,
    project,
    repository,
    signal,
  }: RunPart<'job' | 'project' | 'repository' | 'run' | 'signal', 'db' | 'readSyntax'>,
  { branch, baseCommit, head, isContinued }: ReviewedBranch,
): Promise<ReviewedContent> {
  const base = await repository.tree(baseCommit)
  const history = { db: deps.db, jobId: job.id, branch, upTo: run.number }
  const judging = { policy: policyOf(project), base, reading: deps.readSyntax, signal }
  const { shown, expected, hosts } = await judgeBranch(judging, head, isContinued)
  const deletions = await findDeletions({
    before: base.entries(),
    after: head.entries(),
    textOf: async (path) => {
      const bytes = await base.read(path).catch(() => undefined)
      return bytes && new TextDecoder().decode(bytes)
    },
    messages: await loadMessages(history),
    mostPercent: judging.policy.deletedPercent,
  })
  const refused = await loadRefusedEdits(history)
  return {
    hosts: hosts.filter(({ host, path }) => !hasSecret(host) && !hasSecret(path)),
    warnings: [...findAttempts(refused), ...deletions, ...shown].map(withoutSecrets),
    expected: expected.map(withoutSecrets),
    refused: refused.map(withoutSecrets),
  }
}

/** So many different refusals in a branch are no mistake. */
const fewestAttempts = 3

/** The attempts that are a reason for a draft: several, each with another path or rule, or one of a secret or script. */
export function findAttempts(refused: readonly RefusedEdit[]): readonly Finding[] {
  const distinct = [...new Map(refused.map((one) => [JSON.stringify([one.path, one.message]), one])).values()]
  if (distinct.length < fewestAttempts && !distinct.some(({ isGrave }) => isGrave)) return []
  return distinct.map(({ path, line, message }) => ({ kind: 'attempt', path, line, message, remedy: null }))
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
  expected,
  refused,
}: ReviewedContent): Pick<Review, 'hosts' | 'warnings' | 'expected' | 'refused'> {
  return { hosts, refused: refused.map(toNote), warnings: warnings.map(toNote), expected: expected.map(toNote) }
}

function toNote({ path, line, message }: ReviewNote): ReviewNote {
  return { path, line, message }
}
