// Checks the documentation of a run: its base, while the model works, and the files as the run has changed them. The base
// is the merge base of branch and base branch, as in a diff.
//
// In a repository that was not checked before, the check of all pages takes long. A change that builds on the base is then
// checked alone, so that the run need not wait; what the rest of the site has is not known yet.
//
// A problem that the base has is old. A problem that the start of the run has, and neither the base nor the last commit of
// the agent, came with the commits of a person. All others are the agent's.

import { LRUCache } from 'lru-cache'
import { checkTree, type CheckResult } from '../../checks/check-tree.ts'
import { type ChangeChecks, checkChange } from '../../checks/change/check-change.ts'
import { type ChangeOutcome, outcomeOf } from '../../checks/change/outcome.ts'
import { compareChecks } from '../../checks/compare.ts'
import { type ChangeCoverage, coverageOf } from '../../checks/coverage.ts'
import type { Drift } from '../../checks/drift/drift.ts'
import type { FactsReader } from '../../checks/facts/reader.ts'
import { type Finding, isDrift } from '../../checks/finding.ts'
import { splitIgnored } from '../../checks/ignore.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import { findMoves } from '../../checks/moves.ts'
import { createSuggester, type Suggester, withSuggestions } from '../../checks/suggest/suggest.ts'
import { addCoverage, type Coverage } from '../../sites/coverage.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { Edit, Oid, Repository } from '../../git/types.ts'
import type { GroupSettings } from '../../projects/setting-groups.ts'
import type { FindDrift } from '../sources/find-drift.ts'
import { addDrift, toDriftReview } from './add-drift.ts'
import { openEditedTree } from './edited-tree.ts'
import { followMoves } from './follow-moves.ts'
import type { DriftReview } from './review.ts'

export type CheckedRun = {
  /** The problems that the agent brought. */
  readonly introduced: readonly Finding[]
  readonly byPerson: readonly Finding[]
  readonly fixed: readonly Finding[]
  /** Null: only the change was checked. */
  readonly remaining: readonly Finding[] | null
  /** How many introduced problems the settings ignore. */
  readonly ignored: number
  readonly losses: readonly PageLoss[]
  /** `site`: of everything, as the others are of what the change touches; null if only the change was checked. */
  readonly coverage: ChangeCoverage & { readonly site: Coverage | null }
  /** It is about all pages; null without sources, and if only the change was checked. */
  readonly drift: DriftReview | null
  /** For findings that the changed files have. */
  readonly suggest: Suggester
}

export type CheckProgress = { readonly done: number; readonly total: number }

/** `change`: if the check of everything takes long, that of what the change can affect is enough. */
export type WantedCheck = { readonly edits: readonly Edit[]; readonly extent: 'all' | 'change' }

export interface RunChecks {
  /** Begins to check the base; does nothing the second time. */
  begin(): void
  /** Checks the start of the run with these edits. Throws the errors of reading the repository. */
  check(wanted: WantedCheck): Promise<CheckedRun>
  /** How far the check that is running is. */
  progress(): CheckProgress
  /** Ends the checks that are running. */
  close(): void
}

export type RunToCheck = {
  readonly repository: Repository
  readonly facts: Pick<FactsReader, 'keptIn' | 'hold'>
  readonly settings: GroupSettings['checks']
  /** The commit of the base branch. */
  readonly base: Oid
  /** The commit that the run started from. */
  readonly start: Oid
  /** The last commit that the agent published on this branch; null: the start contains no such commit. */
  readonly published: () => Promise<Oid | null>
  /** Undefined: the run reads no source. */
  readonly drift: FindDrift | undefined
  readonly signal: AbortSignal
}

/** Takes over from an earlier check what has not changed since. */
type CheckFiles = (tree: SiteTree) => Promise<CheckResult>
type Checked = { readonly commit: Oid; readonly tree: SiteTree; readonly result: CheckResult }
/** `personal`: the commits of a person are between these. */
type Base = Checked & { readonly personal: readonly Checked[] }

export function openRunChecks(run: RunToCheck): RunChecks {
  const closing = new AbortController()
  const signal = AbortSignal.any([run.signal, closing.signal])
  const state = { progress: { done: 0, total: 0 }, previous: findKept(run) }
  const onProgress = (done: number, total: number) => {
    state.progress = { done, total }
  }
  const { repository, settings } = run
  const checkFilesUntil =
    (until: AbortSignal): CheckFiles =>
    async (tree) => {
      until.throwIfAborted()
      const result = await run.facts.keptIn(
        repository.factsFile,
        (facts) =>
          checkTree(tree, { facts, sites: settings.sites, previous: state.previous, onProgress, signal: until }),
        until,
      )
      state.previous = result
      return result
    }
  const checkFiles = checkFilesUntil(signal)
  let base: { readonly checked: Promise<Base>; readonly stop: () => void } | undefined
  let release: (() => void) | undefined
  let last: (WantedCheck & { readonly checked: Promise<CheckedRun> }) | undefined
  const begin = () => {
    if (!closing.signal.aborted) release ??= run.facts.hold()
    base ??= beginBase(run, signal, checkFilesUntil)
    return base.checked
  }
  const checkAll = async ({ edits, extent }: WantedCheck) =>
    await checkEdits({ ...run, signal }, { before: await begin(), edits, extent, checkFiles })
  const checkSoon = async (wanted: WantedCheck) => {
    const { edits } = wanted
    if (isKept(run, run.start) || !(await startsAtBase(run))) return await checkAll(wanted)
    // The few pages of the change come first. What was read of the others is kept.
    base?.stop()
    base = undefined
    return (await checkAlone({ ...run, signal }, edits)) ?? (await checkAll(wanted))
  }
  return {
    begin: () => void begin(),
    check: ({ edits, extent }) => {
      const isEnough = last && areSame(last.edits, edits) && (last.extent === 'all' || extent === 'change')
      if (last && isEnough) return last.checked
      last = { edits, extent, checked: extent === 'all' ? checkAll({ edits, extent }) : checkSoon({ edits, extent }) }
      return last.checked
    },
    progress: () => state.progress,
    close: () => {
      closing.abort(new Error('The run no longer needs its checks.'))
      release?.()
      release = undefined
    },
  }
}

/** An overlay keeps the object of an edit until the file changes again. */
function areSame(some: readonly Edit[], others: readonly Edit[]): boolean {
  return some.length === others.length && some.every((edit, index) => edit === others[index])
}

function beginBase(run: RunToCheck, signal: AbortSignal, checkFilesUntil: (until: AbortSignal) => CheckFiles) {
  const stopping = new AbortController()
  const checked = checkBase(run, checkFilesUntil(AbortSignal.any([signal, stopping.signal])))
  // The check that waits for it finds out; a run without a change never does.
  checked.catch(() => undefined)
  return { checked, stop: () => stopping.abort(new Error('The check of the base gives way to that of the change.')) }
}

async function checkBase(run: RunToCheck, checkFiles: CheckFiles): Promise<Base> {
  const { repository, base, start } = run
  const before = await checkCommit(run, (await repository.mergeBase(base, start, run.signal)) ?? base, checkFiles)
  return { ...before, personal: await findPersonal(run, before, checkFiles) }
}

/** Results of commits: the base of a run is often that of the previous one. A result of 5,000 pages takes a few megabytes. */
const kept = new WeakMap<RunToCheck['facts'], LRUCache<string, Kept>>()
const mostKept = 4
type Kept = { readonly factsFile: string; readonly result: CheckResult }

/** The last check of a commit of this repository. */
function findKept({ facts, repository: { factsFile } }: RunToCheck): CheckResult | undefined {
  return kept.get(facts)?.find((one) => one.factsFile === factsFile)?.result
}

function keyOfResult({ repository, settings }: RunToCheck, commit: Oid): string {
  return JSON.stringify([repository.factsFile, commit, settings.sites])
}

function isKept(run: RunToCheck, commit: Oid): boolean {
  return kept.get(run.facts)?.has(keyOfResult(run, commit)) === true
}

async function checkCommit(run: RunToCheck, commit: Oid, checkFiles: CheckFiles): Promise<Checked> {
  const { repository, facts } = run
  const tree = openEditedTree(await repository.tree(commit))
  const results = kept.get(facts) ?? new LRUCache<string, Kept>({ max: mostKept })
  kept.set(facts, results)
  const key = keyOfResult(run, commit)
  const result = results.get(key)?.result ?? (await checkFiles(tree))
  results.set(key, { factsFile: repository.factsFile, result })
  return { commit, tree, result }
}

/** A branch without a commit of the agent was written again by a person, so everything in it is theirs. */
async function findPersonal(run: RunToCheck, base: Checked, checkFiles: CheckFiles): Promise<readonly Checked[]> {
  const { start, published } = run
  if (start === base.commit) return []
  const commit = await published()
  if (commit === start) return []
  const from = commit === null ? base : await checkCommit(run, commit, checkFiles)
  return [from, await checkCommit(run, start, checkFiles)]
}

type Changed = WantedCheck & { readonly before: Base; readonly checkFiles: CheckFiles }

async function checkEdits(run: RunToCheck, { before, edits, extent, checkFiles }: Changed): Promise<CheckedRun> {
  const { repository, start } = run
  const startTree = await repository.tree(start)
  const tree = openEditedTree(startTree, edits)
  const result = await checkFiles(tree)
  const moves = await followMoves(repository, before, { commit: start, edits, tree })
  const sinceStart = findMoves(startTree.entries(), tree.entries())
  const { commits, drifts } = await addDrift(run, [before, { commit: start, tree, result }, ...before.personal], extent)
  const [old, now, from, to] = commits
  if (!old || !now) throw new Error('The commits are there.')
  const personal =
    from && to
      ? compareChecks(from.result.findings, to.result.findings, await followMoves(repository, from, to)).introduced
      : []
  const checked = toChecked(run, outcomeOf(old, now, moves), { personal, sinceStart })
  const suggest = createSuggester(result)
  const drift = drifts?.[1]
  if (run.drift && extent === 'change') {
    return { ...checked, ...ofChange(checked, drift), suggest }
  }
  const site = coverageOf(result)
  return {
    ...checked,
    coverage: { ...checked.coverage, site: drift ? addCoverage(site, drift.coverage) : site },
    drift: drift ? toDriftReview(drift) : null,
    suggest,
  }
}

/** Names that a change only drops are compared with the sources later, as are all pages: this says nothing about them. */
function ofChange({ coverage, fixed }: Pick<ChangeOutcome, 'coverage' | 'fixed'>, drift: Drift | undefined) {
  const touched = drift ? { ...coverage, ...addCoverage(coverage, drift.coverage) } : coverage
  const known = fixed.filter((finding) => !isDrift(finding))
  return { fixed: known, remaining: null, coverage: { ...touched, site: null }, drift: null }
}

/** Whether the branch has no commit yet, so that only the edits of the run are compared. */
async function startsAtBase({ repository, base, start, signal }: RunToCheck): Promise<boolean> {
  return ((await repository.mergeBase(base, start, signal)) ?? base) === start
}

/** With fewer pages, the whole check takes about a second. */
const fewestUnknown = 300

/** Undefined: everything must be checked, or is quickly. */
async function checkAlone(run: RunToCheck, edits: readonly Edit[]): Promise<CheckedRun | undefined> {
  const { repository, settings, start, signal } = run
  const startTree = await repository.tree(start)
  const [before, after] = [openEditedTree(startTree), openEditedTree(startTree, edits)]
  const moves = await followMoves(repository, { commit: start, tree: before }, { commit: start, edits, tree: after })
  const conclude = async (checks: ChangeChecks) => {
    const sides = [
      { tree: before, result: checks.before },
      { tree: after, result: checks.after },
    ]
    const { commits, drifts } = await addDrift(run, sides, 'change')
    const [old, now] = commits
    if (!old || !now) throw new Error('The commits are there.')
    const { introduced, ...checked } = toChecked(run, outcomeOf(old, now, moves), { personal: [], sinceStart: moves })
    // This asks for pages, too.
    withSuggestions(checks.after, introduced)
    const suggest = createSuggester(checks.after)
    return { ...checked, introduced, ...ofChange(checked, drifts?.[1]), suggest }
  }
  const checking = { sites: settings.sites, fewestUnknown, signal }
  return await run.facts.keptIn(
    repository.factsFile,
    (facts) => checkChange({ before, after }, { ...checking, facts }, conclude),
    signal,
  )
}

type Personal = {
  readonly personal: readonly Finding[]
  /** The new path of each file that was moved since the start. */
  readonly sinceStart: ReadonlyMap<string, string>
}

function toChecked(
  { settings }: RunToCheck,
  { introduced, fixed, remaining, losses, coverage }: ChangeOutcome,
  { personal, sinceStart }: Personal,
) {
  const { kept, ignored } = splitIgnored(introduced, settings.ignore)
  const byWhom = compareChecks(personal, kept, sinceStart)
  const withoutIgnored = (findings: readonly Finding[]) => splitIgnored(findings, settings.ignore).kept
  return {
    introduced: byWhom.introduced,
    byPerson: byWhom.remaining,
    fixed: withoutIgnored(fixed),
    remaining: withoutIgnored(remaining),
    ignored: ignored.length,
    losses,
    coverage,
  }
}
