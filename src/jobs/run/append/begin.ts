// Decides whether a run of an automation may continue the open pull request of its job, and merges the base into its branch before it
// does. Everything is asked for again here: people act between the trigger and the run.
//
//   no pull request yet ───────────────────────────► begins
//   open, with room, onto the usual base ──► merge ─┬─ clean ─► continues from the merge
//                                                   └─ conflict ─┐
//   ended, retargeted, approved, full ───────────────────────────┴─► moves to a job of its own

import type { PullRequest } from '../../../forge/forge.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { Oid, RemoteRefs } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { findFull, sayTooManyPages } from '../../appends/full.ts'
import { mergeInto, sendMerge } from '../../pulls/base-merge.ts'
import type { LeasedRun } from '../../queue/lease.ts'
import { reach, type RunPart } from '../context.ts'
import { fetchFirst, usualBase } from '../meanwhile/base.ts'

export type AppendContext = LeasedRun &
  RunPart<'job' | 'project' | 'repository', 'clock' | 'db' | 'git' | 'hostOf' | 'reached'>

export type Place = { readonly branch: string; readonly refs: RemoteRefs }
/** `moves`: why, as a sentence. */
export type Begun =
  | { readonly kind: 'continues'; readonly refs: RemoteRefs }
  | { readonly kind: 'moves'; readonly because: string }

/** `pull`: of the branch, if it is open. Throws the failures of the repository and of the forge. */
export async function beginAppend(
  context: AppendContext,
  { pull, ...place }: Place & { readonly pull: PullRequest | undefined },
): Promise<Begun> {
  const { job, deps } = context
  if (job.pull_number === null) return { kind: 'continues', refs: place.refs }
  if (!pull) return { kind: 'moves', because: `#${job.pull_number} has ended.` }
  const base = await firstBase(context)
  if (base !== undefined && pull.base !== base) {
    return { kind: 'moves', because: `#${pull.number} is onto ${pull.base} now.` }
  }
  const full = (await findFull(deps.db, job, deps.clock.now())) ?? (await findTooManyPages(context, place))
  return full === undefined ? await mergeBase(context, place) : { kind: 'moves', because: full }
}

/** The base that new pull requests of the job have; that of the project's default branch is known from the first run. */
async function firstBase(context: AppendContext): Promise<string | undefined> {
  const usual = usualBase(context)
  if (usual !== null) return usual
  const run = await context.deps.db
    .selectFrom('runs')
    .select('base_branch')
    .where('job_id', '=', context.job.id)
    .where('branch', '=', context.job.branch)
    .where('base_branch', 'is not', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return run?.base_branch ?? undefined
}

async function findTooManyPages({ job, repository, signal }: AppendContext, { branch, refs }: Place) {
  const head = refs.heads.get(branch)
  if (head === undefined) return undefined
  const from = (await repository.mergeBase(refs.base.commit, head, signal)) ?? refs.base.commit
  const files = await repository.changedFiles(from, head)
  return sayTooManyPages(job, files.filter(({ path }) => isPagePath(path)).length)
}

/** People may push between the look and the push. */
const mostAttempts = 5

async function mergeBase(context: AppendContext, place: Place): Promise<Begun> {
  const { branch } = place
  let { refs } = place
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const head = refs.heads.get(branch)
    if (head === undefined) return { kind: 'moves', because: `The branch ${branch} is gone.` }
    const { base } = refs
    if (await context.repository.isAncestor(head, base.commit, context.signal)) {
      return { kind: 'moves', because: `${base.branch} has all of ${branch}.` }
    }
    const made = await mergeOnce(context, branch, { base, head })
    if (made.kind === 'conflict') {
      const paths = made.paths.slice(0, 20).join(', ')
      return { kind: 'moves', because: `${base.branch} and ${branch} changed the same places: ${paths}.` }
    }
    const sent =
      made.commit === head
        ? ({ kind: 'pushed', commit: head } as const)
        : await send(context, branch, { ...made, head })
    if (sent.kind === 'pushed') {
      return { kind: 'continues', refs: { ...refs, heads: new Map([...refs.heads, [branch, sent.commit]]) } }
    }
    refs = await fetchFirst(context, branch, [base.branch])
  }
  throw new Failure('branch_conflict', `The branch ${branch} moves faster than it can be pushed to.`)
}

type Heads = { readonly base: RemoteRefs['base']; readonly head: Oid }

function mergeOnce({ deps, project, repository, run, signal }: AppendContext, branch: string, heads: Heads) {
  const service = deps.git.identity
  return mergeInto({ project, repository, branch, service, date: run.created_at }, heads, signal)
}

async function send(
  context: AppendContext,
  branch: string,
  { commit, head }: { readonly commit: Oid; readonly head: Oid },
) {
  const { deps, project, repository, run, signal } = context
  const host = await deps.hostOf(project.id, signal)
  await host?.forks?.sync(signal)
  const sender = { project, repository, commits: host?.commits, ref: `refs/docent/${run.id}` }
  const sent = await sendMerge(sender, { branch, commit, expected: head }, signal)
  await reach(context, 'base merged')
  return sent
}
