// Opens a pull request, or brings the open one up to date, so that a branch never has two. The host may lose any
// response and may have no rule against doubles. So a step looks before it writes, and never writes again without
// looking. Runs take turns (`createTurns`), and one that has lost its claim is refused.

import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import { shorten } from '../lib/plain-text.ts'
import { again, attempt } from './attempt.ts'
import {
  amendBody,
  type BodyLimit,
  type BodyParts,
  composeBody,
  hasNote,
  isBodyOfJob,
  isOwnTitle,
  sizeOn,
  updateBody,
} from './body.ts'
import { mostShown as mostFacts } from './azure/facts-comment.ts'
import { type FactsPart, nothingRefused, type Refused } from './forge.ts'
import type { ForgeHost, ForgeKind, HostedPull, PullChange } from './host.ts'
import type { PullHead } from './merging/merging.ts'
import type { Turns } from './turns.ts'

export type HostProposal = BodyParts & {
  readonly draft: boolean
  readonly branch: string
  readonly base: string
  readonly headCommit: string
  /** See `Proposal.goneBase`. */
  readonly goneBase?: string | undefined
  /** These are asked for each time; pass what the pull request does not have yet. */
  readonly labels: readonly string[]
  readonly reviewers: readonly string[]
  readonly assignees?: readonly string[]
  readonly milestone?: string | null
  readonly autoMerge?: boolean
}

export type ProposeContext = {
  readonly host: ForgeHost
  /** Throws when the run has lost its claim. Called before each write. */
  readonly checkClaim: () => Promise<void>
  readonly turns: Turns
  readonly clock: Clock
  readonly deadlineMs?: number
}

export type HostProposed = {
  readonly pull: HostedPull
  /** No reason to fail a run. */
  readonly refused: Refused
}

const defaultDeadlineMs = 120_000
const maxTitleCharacters = 240
/** The most that each host takes. */
const bodyLimits: Readonly<Record<ForgeKind, BodyLimit>> = {
  github: { characters: 65_536 },
  gitlab: { characters: 1_048_576 },
  gitea: { characters: 1_048_576 },
  // Bitbucket documents no limit; others have found that it takes this.
  bitbucket: { characters: 50_000 },
  azure: { characters: 4_000, mostFacts },
}
const mostMisses = 4

/** Returns undefined when the branch has no change. May run again after any failure. */
export async function proposeOnHost(
  context: ProposeContext,
  given: HostProposal,
  signal: AbortSignal,
): Promise<HostProposed | undefined> {
  const { host, clock, turns, deadlineMs = defaultDeadlineMs } = context
  const proposal = { ...given, title: titleOf(given.title) }
  return await turns.take(
    turnOf(host, proposal.branch),
    async () => {
      const work = { progress: { misses: 0 }, signal }
      const pull = await attempt({ clock, deadlineMs }, () => step(context, proposal, work), signal)
      return pull && { pull, refused: await decorate(context, pull, { proposal, signal }) }
    },
    signal,
  )
}

/** See `Forge.amend`. Waits until no run writes to the pull request. */
export async function amendOnHost(
  { host, turns }: Pick<ProposeContext, 'host' | 'turns'>,
  { number, part }: { readonly number: number; readonly part: FactsPart },
  signal: AbortSignal,
): Promise<void> {
  const branch = (await host.get(number, signal))?.head.branch
  if (branch === undefined) return
  await turns.take(
    turnOf(host, branch),
    async () => {
      const pull = await host.get(number, signal)
      if (!pull || !isOpen(pull)) return
      const body = amendBody(pull.body, part)
      if (body === undefined || !fits(body, bodyLimits[host.kind])) return
      await host.update(number, { body, was: pull.body }, signal)
    },
    signal,
  )
}

/** Does nothing when the pull request has ended or is gone. May run again after any failure. */
export async function closeOnHost(
  context: Omit<ProposeContext, 'turns'>,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const { host, clock, deadlineMs = defaultDeadlineMs } = context
  await attempt(
    { clock, deadlineMs },
    async () => {
      const pull = await host.get(number, signal)
      if (pull?.state !== 'open') return
      await context.checkClaim()
      await host.close(number, signal)
    },
    signal,
  )
}

// One step:
//
//   list the branch's pull requests ─┬─ one is open ──────────────→ close later ones of this job, edit the first
//                                    ├─ one of this job has ended ─→ that one: the caller decides
//                                    └─ nothing ─→ create ─┬─ nothing changed ─────────→ undefined
//                                                          ├─ created ─────────────────→ from the start
//                                                          └─ exists, unknown effect ─→ wait, from the start

/** The pull request that this call has created, and how often a list did not show it. */
type Progress = { made?: HostedPull; misses: number }

async function step(
  context: ProposeContext,
  proposal: HostProposal,
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<HostedPull | undefined | typeof again> {
  const { host } = context
  const found = withMade(await host.listByBranch(proposal.branch, signal), progress)
  if (found === again) return again
  if (found.some(isOpen)) return await keepOne(context, proposal, { found, signal })
  const ended = pullOfJob(found, proposal.jobId)
  if (ended) return ended
  const { title, draft, base, branch } = proposal
  await context.checkClaim()
  const created = await host.create(
    { title, body: composeBody(proposal, bodyLimits[host.kind]), base, branch, draft },
    signal,
  )
  if (created.kind === 'empty') return undefined
  if (created.kind !== 'created') return again
  progress.made = created.pull
  return await step(context, proposal, { progress, signal })
}

/** Another may have been created at the same time, so a list counts that also shows ours: a replica may lag. */
function withMade(found: readonly HostedPull[], progress: Progress): readonly HostedPull[] | typeof again {
  const { made } = progress
  if (!made || found.some(({ number }) => number === made.number)) return found
  progress.misses += 1
  return progress.misses < mostMisses ? again : [...found, made]
}

type Found = { readonly found: readonly HostedPull[]; readonly signal: AbortSignal }

async function keepOne(context: ProposeContext, proposal: HostProposal, { found, signal }: Found): Promise<HostedPull> {
  const [kept, ...others] = found.filter(isOpen).sort(byNumber)
  if (!kept) throw new Error('keepOne was called without an open pull request')
  for (const other of others.filter(({ body }) => isBodyOfJob(body, proposal.jobId))) {
    await context.checkClaim()
    await context.host.close(other.number, signal)
  }
  const change = changeOf(kept, proposal, bodyLimits[context.host.kind])
  if (Object.keys(change).length === 0) return kept
  await context.checkClaim()
  return await context.host.update(kept.number, change, signal)
}

/** Only what is not as it should be. A title, text or base that a person chose stays. */
function changeOf(pull: HostedPull, proposal: HostProposal, limit: BodyLimit): PullChange {
  const body = updateBody(pull.body, proposal, limit)
  // A person may have made it ready although the note holds; only a new note makes it a draft again.
  const isDrafted = proposal.draft && proposal.note !== '' && !pull.draft && !hasNote(pull.body)
  const isRetitled = pull.title !== proposal.title && isOwnTitle(pull.body, pull.title)
  return {
    ...(isRetitled ? { title: proposal.title } : {}),
    ...(body === pull.body || !fits(body, limit) ? {} : { body, was: pull.body }),
    ...(pull.base === proposal.goneBase ? { base: proposal.base } : {}),
    ...(isDrafted ? { draft: true as const } : {}),
  }
}

function fits(body: string, limit: BodyLimit): boolean {
  return sizeOn(limit, body) <= limit.characters
}

/** The open one of the job, else a merged one: a double of it was closed. Else the last. */
export function pullOfJob(found: readonly HostedPull[], jobId: string): HostedPull | undefined {
  const mine = found.filter(({ body }) => isBodyOfJob(body, jobId)).sort(byNumber)
  return mine.find(isOpen) ?? mine.find(({ state }) => state === 'merged') ?? mine.at(-1)
}

/** These matter less than the pull request, so their failures end here. */
async function decorate(
  { host, clock, checkClaim }: ProposeContext,
  { number, state, draft }: HostedPull,
  { proposal, signal }: { readonly proposal: HostProposal; readonly signal: AbortSignal },
): Promise<HostProposed['refused']> {
  const { labels, reviewers, assignees = [], milestone = null, autoMerge = false, headCommit: head } = proposal
  if (state !== 'open') return nothingRefused
  const ask = async <T>(work: () => Promise<T>, ifFailed: (failure: Failure) => T): Promise<T> => {
    await checkClaim()
    return await work().catch((error: unknown) => {
      if (error instanceof Failure) return ifFailed(error)
      throw error
    })
  }
  const add = async (names: readonly string[], work: () => Promise<readonly string[]>) =>
    names.length === 0 ? [] : await ask(work, () => names)
  const isSet =
    milestone === null ||
    (await ask(
      () => host.setMilestone(number, milestone, signal),
      () => false,
    ))
  return {
    labels: await add(labels, () => host.addLabels(number, labels, signal)),
    reviewers: await add(reviewers, () => host.requestReviewers(number, reviewers, signal)),
    assignees: await add(assignees, () => host.assign(number, assignees, signal)),
    milestone: isSet ? null : milestone,
    // No forge merges a draft.
    autoMerge:
      autoMerge && !draft
        ? await ask(
            () => mergeLater({ host, clock }, { number, head }, signal),
            ({ message }) => message,
          )
        : null,
  }
}

const askedForMerge = { times: 4, pauseMs: 3_000 }

/** Returns why the forge does not merge it by itself; null if it will. */
async function mergeLater(
  { host, clock }: Pick<ProposeContext, 'host' | 'clock'>,
  pull: PullHead,
  signal: AbortSignal,
): Promise<string | null> {
  for (let time = 1; ; time += 1) {
    const answer = await host.mergeLater(pull, signal)
    if (answer.kind === 'set') return null
    if (answer.kind === 'refused' || time === askedForMerge.times) return answer.reason
    await clock.sleep(askedForMerge.pauseMs, signal)
  }
}

function turnOf({ repository }: ForgeHost, branch: string): string {
  return `${repository} ${branch}`
}

function titleOf(title: string): string {
  return shorten(title.replaceAll(/\s+/g, ' ').trim(), maxTitleCharacters)
}

function isOpen(pull: HostedPull): boolean {
  return pull.state === 'open' && pull.isOwn
}

function byNumber(one: HostedPull, other: HostedPull): number {
  return one.number - other.number
}
