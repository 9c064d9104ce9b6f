// The merged pull requests of the code that a run of an automation follows: read once from the host of the code, with the
// credential of the source, and stored with the run. They help a reviewer and are no reason to fail a run.

import { sql } from 'kysely'
import type { MergedPull, PullAuthor } from '../../../forge/authors/merged-pulls.ts'
import type { ForgeHost } from '../../../forge/host.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Db } from '../../../postgres/types.ts'
import { findContinued } from '../brief/continued.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { readNames } from '../../comments/names.ts'
import type { BranchHistory } from '../../review/branch-history.ts'
import type { RunPart } from '../context.ts'
import { authorsOf, type Chosen, chooseReviewers, findPeople } from './choose-reviewers.ts'

/** `name`: such as `acme/api#12`. `author`: a login; null: the account is gone, or has no name. */
export type CodePull = { readonly name: string; readonly link: string; readonly author: string | null }

/** `problem`: why the pull requests could not be read, as a sentence; null: they were. */
export type CodePulls = Chosen & { readonly pulls: readonly CodePull[]; readonly problem: string | null }

/** More commits would take too many requests: the newest count. */
const mostCommits = 20
const longestMs = 20_000

type Context = LeasedRun & RunPart<'job' | 'project' | 'run', 'db' | 'hostOf'>

/** `runs`: those of the runs of the branch, in order. `ask`: whom this run asks for a review. */
export type FoundCode = { readonly runs: readonly CodePulls[]; readonly ask: readonly string[] }

/** `named`: the reviewers that the project names. */
export async function findCodePulls(
  context: Context,
  history: BranchHistory,
  named: readonly string[],
): Promise<FoundCode> {
  const stored = await loadCodePulls(history)
  const runs = stored.map(({ found }) => found)
  const own = stored.find(({ runId }) => runId === context.run.id)
  const code = own ? undefined : await findCommits(context)
  if (!code) return { runs, ask: own?.found.ask ?? [] }
  const earlier = runs.flatMap(({ ask }) => ask)
  const found = await readCode(context, code, [...named, ...earlier])
  await writeAsRun(context, async (trx, run) => {
    const set = { code_pulls: JSON.stringify(found) }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
  return { runs: [...runs, found], ask: found.ask }
}

async function loadCodePulls({ db, jobId, branch, upTo }: BranchHistory) {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'code_pulls'])
    .where('job_id', '=', jobId)
    .where('branch', '=', branch)
    .where('number', '<=', upTo)
    .where('code_pulls', 'is not', null)
    .orderBy('number')
    .execute()
  return rows.map(({ id, code_pulls: json }) => ({ runId: id, found: JSON.parse(json ?? '') as CodePulls }))
}

/** `ownerId`: the source, or the project, that has the commits. */
type Code = { readonly ownerId: string; readonly commits: readonly string[] }

/** The newest commits first. Undefined: code has not started the run. */
async function findCommits(context: Context): Promise<Code | undefined> {
  const runs = await findContinued(context)
  const { rows } = await sql<{ ownerId: string; commit: string }>`/* runs.code_commits */
    select p.repository_id as "ownerId", c.commit from messages m
      join automation_runs r on r.message_id = m.id
      join automations a on a.id = r.automation_id and a.trigger::jsonb ->> 'type' = 'code'
      join automation_positions p on p.automation_id = r.automation_id
      join automation_commits c on c.automation_id = r.automation_id and c.run_id = r.id
    where m.run_id in (${sql.join(runs)}) order by c.ordinal desc limit ${mostCommits}`.execute(context.deps.db)
  const [first] = rows
  return first && { ownerId: first.ownerId, commits: rows.map(({ commit }) => commit) }
}

const nobody = { ask: [], others: [] } as const

/** Throws only when the run has to stop. */
async function readCode({ deps, project, signal: stop }: Context, code: Code, names: readonly string[]) {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  try {
    const host = await deps.hostOf(code.ownerId, signal)
    if (!host) return { ...nobody, pulls: [], problem: null }
    const merged = await host.mergedPulls(code.commits, signal)
    const pulls = merged.map((pull) => toCodePull(host, pull))
    const docs = await deps.hostOf(project.id, signal)
    if (!docs || !isSameHost(docs, host)) return { ...nobody, pulls, problem: null }
    const account = await readAccount(deps.db, project.id)
    const insiders = await findInsiders(host, findPeople(authorsOf(merged), account), signal)
    const chosen = chooseReviewers(authorsOf(merged), (one) => insiders.has(one.id), { names, account })
    return { ...chosen, pulls, problem: null }
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof Failure) return { ...nobody, pulls: [], problem: error.message }
    if (signal.aborted) return { ...nobody, pulls: [], problem: 'The host of the code took too long to respond.' }
    throw error
  }
}

/** Where the pull request does not say it: people who may push to the code. Who is not known to be one is not asked. */
async function findInsiders(
  host: ForgeHost,
  people: readonly PullAuthor[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const person of people) {
    const isOutsider = person.isOutsider ?? (await host.activity.mayWrite(person, signal)) !== true
    if (!isOutsider) found.add(person.id)
  }
  return found
}

/** Accounts of another host are other people. */
function isSameHost(one: ForgeHost, other: ForgeHost): boolean {
  const hostOf = ({ repository }: ForgeHost) => repository.slice(0, repository.indexOf('/'))
  return one.kind === other.kind && hostOf(one) === hostOf(other)
}

async function readAccount(db: Db, projectId: string): Promise<string | null> {
  return (await readNames(db, projectId)).account
}

function toCodePull({ repository }: ForgeHost, { number, link, author }: MergedPull): CodePull {
  const path = repository.slice(repository.indexOf('/') + 1)
  const login = author?.login ?? ''
  return { name: `${path}#${number}`, link, author: login === '' ? null : login }
}
