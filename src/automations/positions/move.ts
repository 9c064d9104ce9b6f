// Compares a branch with a position on it. Truth is the history by first parents: one commit for each change that reached
// the branch.
//
//   the head follows the position ───────────► the commits between wait
//   a merge put the position beside, or the
//   branch was rewritten ────────────────────► those of the new history wait that have no row; those that are gone have left
//   nothing in common ───────────────────────► it begins again at the head
//
// https://git-scm.com/docs/git-log#Documentation/git-log.txt---first-parent

import type { MainlineEntry, Oid, SourceRepository } from '../../git/types.ts'

export type Position = { readonly first: Oid; readonly head: Oid }

export type Move = Position & {
  /** The commits that wait from now on, the oldest first, unless they have a row. */
  readonly added: readonly MainlineEntry[]
  /** Others are not in the history any more. Undefined: all are. */
  readonly kept: ReadonlySet<Oid> | undefined
  readonly isRewritten: boolean
  readonly isAnew: boolean
}

type Branch = Pick<SourceRepository, 'isAncestor' | 'mainline' | 'mergeBase'>

/** Throws the errors of git, so that a mirror that cannot be read is not taken for another history. */
export async function findMove(branch: Branch, { first, head }: Position, to: Oid, signal: AbortSignal): Promise<Move> {
  if (to === head) return { first, head, added: [], kept: undefined, isRewritten: false, isAnew: false }
  // Undefined: this mirror never had the old head. Another process may have seen it.
  const added = await branch.mainline({ to, from: head }, signal)
  if (added?.[0]?.parent === head) return { first, head: to, added, kept: undefined, isRewritten: false, isAnew: false }
  const anew = { first: to, head: to, added: [], kept: new Set<Oid>(), isRewritten: true, isAnew: true }
  // The commit where it began may have been rewritten, too.
  const isKnown = (await branch.mainline({ to: first, from: first }, signal)) !== undefined
  const start = isKnown ? await branch.mergeBase(first, to, signal) : null
  const all = start === null ? undefined : await branch.mainline({ to, from: start }, signal)
  if (start === null || !all) return anew
  const isRewritten = added === undefined || !(await branch.isAncestor(head, to, signal))
  const kept = new Set(all.map(({ commit }) => commit))
  return { first: start, head: to, added: all, kept, isRewritten, isAnew: false }
}
