// The grounding of a run: what its branch adds to pages, looked up in the base of the branch, in the sources at their pins, in the
// messages of people and in the pages that the runs fetched.

import { readChange } from '../../../grounding/changed-pages.ts'
import { findUngrounded } from '../../../grounding/ground.ts'
import type { Grounding, Place, Ungrounded } from '../../../grounding/places.ts'
import type { Edit } from '../../../git/types.ts'
import { openEditedTree } from '../../review/edited-tree.ts'
import { type BranchHistory, loadFetchedTexts, loadMessages } from '../../review/branch-history.ts'
import { openSources, toFiles } from '../../sources/open.ts'
import { repositoryName } from '../../sources/repository-name.ts'
import type { RunPart } from '../context.ts'
import type { Prepared } from '../prepare.ts'
import { checkSettingsOf } from '../review/open-checks.ts'

/** Terms that were not looked up by then are counted. */
const deadlineMs = 20_000

export type GroundedRun = RunPart<'job' | 'project' | 'repository' | 'run' | 'signal', 'db' | 'git'>
export type GroundedBranch = Pick<Prepared, 'base' | 'branch' | 'sources' | 'start'> & {
  readonly edits: readonly Edit[]
}

/** Undefined: the project has turned it off. */
export async function groundRun(context: GroundedRun, branch: GroundedBranch): Promise<Grounding | undefined> {
  const { deps, job, project, repository, run, signal } = context
  if (checkSettingsOf(project).grounding === 'off') return undefined
  const baseCommit = (await repository.mergeBase(branch.base.commit, branch.start, signal)) ?? branch.base.commit
  const base = await repository.tree(baseCommit)
  const change = await readChange(base, openEditedTree(await repository.tree(branch.start), branch.edits))
  if (change.texts.length + change.left.length === 0) return { ungrounded: [], judged: 0, notJudged: [] }
  const history: BranchHistory = { db: deps.db, jobId: job.id, branch: branch.branch, upTo: run.number }
  const { present } = await openSources(deps.git, branch.sources)
  const places: readonly Place[] = [{ name: '', files: toFiles(base) }, ...present]
  return await findUngrounded(change, {
    places,
    texts: [...(await loadMessages(history)), ...(await loadFetchedTexts(history))],
    own: [project.repository, ...branch.sources.flatMap((one) => [one.repository, one.name])].flatMap((one) =>
      repositoryName(one).split('/'),
    ),
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
  })
}

/** For the model: those in files that this run has edited. */
export async function ungroundedIn(context: GroundedRun, branch: GroundedBranch): Promise<readonly Ungrounded[]> {
  const edited = new Set(branch.edits.map(({ path }) => path))
  const found = await groundRun(context, branch)
  return found?.ungrounded.filter(({ path }) => edited.has(path)) ?? []
}
