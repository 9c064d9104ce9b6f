// Loads what happened in the runs of a branch: what people asked, which pages were read, and what the policy refused.

import type { RefusedEdit } from '../../agent/refused-edit.ts'
import type { Turn } from '../../agent/transcript.ts'
import type { Db } from '../../postgres/types.ts'
import { type PageRead, parsePagesRead } from '../pages-read.ts'

export type BranchHistory = {
  readonly db: Db
  readonly jobId: string
  readonly branch: string
  /** The number of the last run that counts. */
  readonly upTo: number
}

/** Returns the messages of the runs, in order. */
export async function loadMessages({ db, jobId, branch, upTo }: BranchHistory): Promise<readonly string[]> {
  const messages = await db
    .selectFrom('messages')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .select('messages.prompt')
    .where('messages.job_id', '=', jobId)
    .where('runs.branch', '=', branch)
    .where('runs.number', '<=', upTo)
    .orderBy('messages.ordinal')
    .execute()
  return messages.map(({ prompt }) => JSON.parse(prompt) as string)
}

/** Returns the pages outside of the repository that the runs requested, in order. */
export async function loadPagesRead({ db, jobId, branch, upTo }: BranchHistory): Promise<readonly PageRead[]> {
  const runs = await db
    .selectFrom('runs')
    .innerJoin('jobs', 'jobs.id', 'runs.job_id')
    .select(['runs.number', 'jobs.pages_read'])
    .where('runs.job_id', '=', jobId)
    .where('runs.branch', '=', branch)
    .where('runs.number', '<=', upTo)
    .execute()
  const numbers = new Set(runs.map(({ number }) => number))
  return parsePagesRead(runs[0]?.pages_read ?? null).filter(({ run }) => numbers.has(run))
}

/** Returns the texts of the pages that the runs fetched, as the model saw them. */
export async function loadFetchedTexts(history: BranchHistory): Promise<readonly string[]> {
  const results = await loadResults(history, 'fetched')
  return results.flatMap(({ facts, isError, text }) => (facts?.fetched && !isError ? [text] : []))
}

/** More do not help a reviewer. */
const mostRefused = 50

/** Returns the edits that the policy refused, each once, in order. */
export async function loadRefusedEdits(history: BranchHistory): Promise<readonly RefusedEdit[]> {
  const found = new Map<string, RefusedEdit>()
  for (const { facts } of await loadResults(history, 'refused')) {
    if (!facts?.refused) continue
    const { path, line, message } = facts.refused
    found.set(JSON.stringify([path, line, message]), facts.refused)
  }
  return [...found.values()].slice(0, mostRefused)
}

type Results = NonNullable<Turn['results']>

/** Returns the results of the turns in which one has the fact, in order. */
async function loadResults(
  { db, jobId, branch, upTo }: BranchHistory,
  fact: keyof NonNullable<Results[number]['facts']>,
): Promise<Results> {
  const turns = await db
    .selectFrom('turns')
    .innerJoin('runs', 'runs.id', 'turns.run_id')
    .select('turns.results')
    .where('runs.job_id', '=', jobId)
    .where('runs.branch', '=', branch)
    .where('runs.number', '<=', upTo)
    .where('turns.results', 'like', `%"${fact}":%`)
    .orderBy('runs.number')
    .orderBy('turns.number')
    .execute()
  return turns.flatMap(({ results }) => JSON.parse(results ?? '[]') as Results)
}
