// Finds changes that no setting allows: names that are dangerous or ambiguous on some system, and entries that are not
// plain files. Pure. The workspace refuses the same edits while the agent works; this is the last check before a commit.

import { createNames } from '../../git/write/name-clashes.ts'
import { nameProblem, shapeProblem } from '../../git/write/path.ts'
import type { Edit, Tree, TreeEntry } from '../../git/types.ts'
import { foldPath } from './fold-path.ts'
import type { Finding } from './verdict.ts'

export type BaseNames = Pick<Tree, 'entries' | 'entry'>

/** Returns the reason why no new file may have this path; null if it is allowed. Does not check its folder. */
export function newNameProblem(path: string): string | null {
  const problem = nameProblem(path)
  if (problem !== null) return problem
  if (/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(path)) return 'it has invisible characters'
  if (/%[0-9a-f]{2}/i.test(path)) return 'it has a percent escape, which some tools decode'
  const folded = foldPath(path)
  const disguised = shapeProblem(folded)
  if (disguised !== null) return disguised
  // On Windows, `PACKAG~1.JSO` is a short name for `package.json`.
  const isShort = folded.split('/').some((segment) => /^.{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/.test(segment))
  return isShort ? 'a part of it has the form of a short name of Windows' : null
}

export function findNever(base: BaseNames, edits: readonly Edit[]): readonly Finding[] {
  const found = edits.flatMap((edit) => {
    const problem = editProblem(base.entry(edit.path), edit, edits)
    return problem === null ? [] : [never(edit.path, problem)]
  })
  return [...found, ...findClashes(base, edits)]
}

function editProblem(entry: TreeEntry | undefined, edit: Edit, edits: readonly Edit[]): string | null {
  if (entry && entry.kind !== 'file') return `it is ${entry.kind === 'symlink' ? 'a link' : `a ${entry.kind}`}`
  const problem = entry ? shapeProblem(edit.path) : newNameProblem(edit.path)
  if (problem !== null || edit.content === null) return problem
  if (entry) return isExecutable(entry.mode) === isExecutable(edit.mode) ? null : 'its mode would change'
  const mayMove = edits.some((one) => one.content === null && isExecutable(one.mode))
  return isExecutable(edit.mode) && !mayMove ? 'a new file may not be executable' : null
}

function findClashes(base: BaseNames, edits: readonly Edit[]): readonly Finding[] {
  const added = edits.filter(({ path, content }) => content !== null && base.entry(path) === undefined)
  if (added.length === 0) return []
  const names = createNames(base.entries())
  for (const { path, content } of edits) if (content === null && base.entry(path)) names.remove(path)
  return added.flatMap(({ path }) => {
    const clash = names.clash(path)
    if (clash === null) names.add(path, 'file')
    return clash === null ? [] : [never(path, clash)]
  })
}

function never(path: string, problem: string): Finding {
  return { kind: 'never', path, line: null, message: `may never be changed: ${problem}`, remedy: null }
}

function isExecutable(mode: string): boolean {
  return mode === '100755'
}
