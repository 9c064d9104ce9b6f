// Finds or opens the pull request of the branch; without a change, closes an open one.

import { type Finish, partOf } from '../../agent/tool.ts'
import type { Proposal, ProposedPull, PullRequest } from '../../forge/forge.ts'
import { type PullSettings, pullSettingsOf, withPrefix } from '../../forge/publication.ts'
import type { Oid } from '../../git/types.ts'
import { loadTimeline } from '../appends/load-timeline.ts'
import { describeTimeline } from '../appends/timeline.ts'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import { sayShown } from '../policy/words.ts'
import { findMergeMode } from '../merging/mode.ts'
import { pullKeyOf } from '../pulls/pull.ts'
import type { LeasedRun } from '../queue/lease.ts'
import { type BranchHistory, loadMessages, loadPagesRead } from '../review/branch-history.ts'
import { newProblemsOf } from '../review/check-review.ts'
import { notChecked, sayNewProblems, sayReferences, sayUngrounded } from '../review/words.ts'
import { bodyOn, describeBranch, weakTitleOf } from '../pulls/description.ts'
import { checkSettingsOf } from './review/open-checks.ts'
import { verifyCited } from './grounding/citations.ts'
import { findCodePulls } from './code/code-pulls.ts'
import { loadFinishes } from './describe/finishes.ts'
import type { RunContext, RunPart } from './context.ts'
import { pathsAfter } from './describe/changed-files.ts'
import { describeFacts, type Facts } from './describe/facts.ts'
import type { JobOrigin } from '../response.ts'
import { readRunSources } from '../sources/run-sources.ts'
import { describeLead } from './describe/lead.ts'
import { fetchFirst, followBase, isMissingBase, saveBase, usualBase } from './meanwhile/base.ts'
import { type Left, refuseEnded } from './meanwhile/look.ts'
import type { Pushed } from './push.ts'
import { fillTemplate, readTemplate } from './describe/template.ts'

export type Proposed = Pick<Pushed, 'finish'> & {
  /** The branch compared with its base; null if there is no change and no pull request. */
  readonly change: { readonly pull: ProposedPull; readonly baseCommit: Oid; readonly headCommit: Oid } | null
}

type Change = { readonly baseCommit: Oid; readonly headCommit: Oid }

/** Returns the pull request if people have ended it. */
export async function propose(
  context: LeasedRun &
    RunPart<
      'job' | 'project' | 'repository',
      'db' | 'forge' | 'git' | 'hostOf' | 'publicUrl' | 'readSyntax' | 'redactor'
    >,
  pushed: Pushed,
): Promise<Proposed | Left> {
  const { finish } = pushed
  const change = await findChange(context, pushed)
  if (!change) {
    await closeEmpty(context, pushed)
    return { finish, change: null }
  }
  const { deps, job, signal } = context
  const proposal = await describe(context, pushed, change)
  const pull = await deps.forge.propose(job.project_id, proposal, signal).catch(async (error: unknown) => {
    if (pushed.pull || !isMissingBase(error)) throw error
    return await renamedBase(context, pushed, error)
  })
  if (pull && 'branch' in pull) return await propose(context, pull)
  if (!pull) return { finish, change: null }
  const ended = refuseEnded(pull)
  if (ended) return ended
  await leaveEarlierForge(context, pull)
  const followed = await followBase(context, pushed, pull)
  // People retargeted it a moment ago: what it says about the change is to be true of the new base.
  return followed === pushed
    ? { finish, change: { pull: withoutAuthors(context, pull), ...change } }
    : await propose(context, { ...followed, pull })
}

/** Nobody named the authors of the code as reviewers, so nobody has to name others for those that the forge refuses. */
function withoutAuthors({ project }: Pick<RunContext, 'project'>, pull: ProposedPull): ProposedPull {
  if (!pull.refused) return pull
  const named = pullSettingsOf(project).reviewers
  return {
    ...pull,
    refused: { ...pull.refused, reviewers: pull.refused.reviewers.filter((name) => named.includes(name)) },
  }
}

/** Throws the error if the base was not renamed since the run began. */
async function renamedBase(
  context: LeasedRun & RunPart<'job' | 'project' | 'repository', never>,
  pushed: Pushed,
  error: unknown,
) {
  const refs = await fetchFirst(context, pushed.branch, [usualBase(context)])
  if (refs.base.branch === pushed.base.branch) throw error
  await saveBase(context, refs)
  return { ...pushed, base: refs.base }
}

/** Undefined: the branch holds no change. */
export async function findChange(
  { repository, signal }: Pick<RunContext, 'repository' | 'signal'>,
  { base, head }: Pick<Pushed, 'base' | 'head'>,
): Promise<Change | undefined> {
  if (head === null) return undefined
  const baseCommit = (await repository.mergeBase(base.commit, head, signal)) ?? base.commit
  return (await repository.sameTree(baseCommit, head)) ? undefined : { baseCommit, headCommit: head }
}

async function describe(
  context: LeasedRun &
    RunPart<'job' | 'project' | 'repository', 'db' | 'git' | 'hostOf' | 'publicUrl' | 'readSyntax' | 'redactor'>,
  pushed: Pushed,
  change: Change,
): Promise<Proposal> {
  const { deps, job, project, lease } = context
  const finishes = await loadFinishes(historyOf(context, pushed))
  const timeline = await loadTimeline(historyOf(context, pushed), job)
  const hasTimeline = timeline !== undefined && timeline.entries.length > 0
  const { title, body } = hasTimeline ? describeTimeline(timeline) : describeBranch(finishes)
  const settings = pullSettingsOf(project)
  const note = noteOf(context, pushed)
  const found = await loadFacts(context, pushed, change)
  const cited = finishes.flatMap((finish) => (finish.kind === 'change' ? (finish.sources ?? []) : []))
  const citations = await verifyCited(context, cited, { base: change.baseCommit, sources: found.sources })
  const code = await findCodePulls(context, historyOf(context, pushed), settings.reviewers)
  const facts = { ...found, citations, code: code.runs }
  // People may have removed a label or a milestone, and reviewers may have reviewed.
  const isNew = pushed.pull === undefined
  const texts = {
    title: withPrefix(settings.titlePrefix, title),
    body: await withTemplate(context, pushed, body),
    note: note.join('\n\n'),
    lead: describeLead({ ...pushed.content, losses: pushed.review?.losses ?? [], ...facts }),
    facts: describeFacts({ ...facts, titles: hasTimeline ? [] : titlesOf(finishes), summary: body }),
  }
  return {
    ...mapStrings(texts, context.deps.redactor.redact),
    draft: (pushed.draft ?? settings.draft) || note.length > 0,
    ...decorationsOf(isNew ? settings : undefined, code.ask),
    autoMerge: isNew && settings.autoMerge && (await findMergeMode(deps.db, job.id)) === undefined,
    jobId: job.id,
    claim: { runId: lease.runId, fence: lease.fence },
    branch: pushed.branch,
    base: pushed.base.branch,
    goneBase: pushed.goneBase,
    ...change,
  }
}

/** `authors`: of the code that the run follows. */
function decorationsOf(settings: PullSettings | undefined, authors: readonly string[]) {
  const { labels = [], reviewers = [], assignees = [], milestone = null } = settings ?? {}
  return { labels, reviewers: [...reviewers, ...authors], assignees, milestone }
}

/** The reasons why the pull request is a draft: what is missing, what breaks, or may run first. */
function noteOf({ project }: Pick<RunContext, 'project'>, pushed: Pushed): readonly string[] {
  const { finish, review, couldNotCheck, content } = pushed
  const isDraft = checkSettingsOf(project).grounding === 'draft'
  const ungrounded = review && isDraft ? sayUngrounded(review) : undefined
  const problems = review ? sayNewProblems(newProblemsOf(review)) : undefined
  const references = review ? sayReferences(review.references) : undefined
  const unfinished = partOf(finish)
  const part = unfinished === undefined ? undefined : `This is a part of the work. ${unfinished}`
  return [
    part,
    couldNotCheck ? notChecked : undefined,
    sayShown(content.warnings),
    references,
    problems,
    ungrounded,
  ].filter((part) => part !== undefined)
}

/** Takes the powers of the text on a forge, and applies the repository's template. Docent's own pull requests have neither. */
async function withTemplate(
  { deps, project, repository, signal }: RunPart<'project' | 'repository' | 'signal', 'hostOf' | 'readSyntax'>,
  { base }: Pushed,
  body: string,
) {
  const host = await deps.hostOf(project.id, signal)
  if (!host) return body
  const weak = await bodyOn(host.kind, body, deps.readSyntax)
  const template = await readTemplate(await repository.tree(base.commit), host.kind)
  return template === undefined ? weak : fillTemplate(template, weak)
}

async function loadFacts(
  context: RunPart<'job' | 'repository' | 'run', 'db' | 'publicUrl'>,
  pushed: Pushed,
  change: Change,
): Promise<Omit<Facts, 'citations' | 'code' | 'titles' | 'summary'>> {
  const { deps, job, repository } = context
  const now = await deps.db.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow()
  const files = await repository.changedFiles(change.baseCommit, change.headCommit)
  // The listing of the base is known; that of the head would have to be read.
  const paths = (await repository.tree(change.baseCommit)).entries().map(({ path }) => path)
  return {
    jobId: job.id,
    jobLink: deps.publicUrl && `${deps.publicUrl}/projects/${job.project_id}/jobs/${job.id}`,
    origin: job.origin === null ? null : (JSON.parse(job.origin) as JobOrigin),
    // The runs of an automation have the same instructions.
    prompts: [...new Set(await loadMessages(historyOf(context, pushed)))],
    pagesRead: await loadPagesRead(historyOf(context, pushed)),
    files,
    paths: pathsAfter(paths, files),
    review: pushed.review,
    sources: readRunSources(now.sources),
    model: now.model,
    turns: now.turns,
    inputTokens: now.input_tokens,
    outputTokens: now.output_tokens,
    costUsd: now.cost_usd,
  }
}

/** The titles of the runs that described a change. */
function titlesOf(finishes: readonly Finish[]): readonly string[] {
  return finishes.filter(({ kind }) => kind === 'change').map(weakTitleOf)
}

function historyOf({ deps, job, run }: RunPart<'job' | 'run', 'db'>, { branch }: Pushed): BranchHistory {
  return { db: deps.db, jobId: job.id, branch, upTo: run.number }
}

/** Closes the open pull request after a follow-up reverted all of its changes. */
async function closeEmpty(
  { deps, job, lease, signal }: RunPart<'job' | 'lease' | 'signal', 'forge'>,
  { pull: key }: Pushed,
): Promise<void> {
  const pull = key && (await deps.forge.get(job.project_id, key, signal))
  const claim = { runId: lease.runId, fence: lease.fence }
  if (pull?.state === 'open') await deps.forge.close(job.project_id, pull, claim, signal)
}

/** Closes the earlier pull request if the project was connected to another forge since the last run. */
async function leaveEarlierForge(
  { deps, job, lease, signal }: RunPart<'job' | 'lease' | 'signal', 'forge'>,
  pull: PullRequest,
): Promise<void> {
  const key = pullKeyOf(job)
  const claim = { runId: lease.runId, fence: lease.fence }
  if (key && key.forge !== pull.forge) await deps.forge.close(job.project_id, key, claim, signal)
}
