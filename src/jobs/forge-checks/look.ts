// One look at the checks of a job's pull request on a forge, for projects that give failed ones to the agent. Only a head that a run of
// the job published within a week counts, and only while nobody works on it: never one that a person pushed.

import { sql } from 'kysely'
import type { ForgeHost } from '../../forge/host.ts'
import { pullSettingsOf } from '../../forge/publication.ts'
import type { ForgeCheck } from '../../forge/merging/merging.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { readPullMarks } from '../activity/marks.ts'
import { isOfProject } from '../merging/merge.ts'
import { hasWaitingComment } from '../merging/own-facts.ts'
import { builtInModel, modelOf } from '../options/model.ts'
import { outcomeOf } from '../response.ts'
import { lastLines } from './log-lines.ts'
import { type FailedCheck, mostLogs, toMessage } from './message.ts'
import { isKnown, recordFailed } from './records.ts'

export type ForgeChecksContext = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly redactor: Pick<Redactor, 'redact'>
  /** The model of projects without a model of their own. */
  readonly modelId: string
  readonly signal: AbortSignal
}

/** Throws the failures of the host, except those of a log. */
export async function giveFailedChecks(
  context: ForgeChecksContext,
  { merging }: Pick<ForgeHost, 'merging'>,
  { job, project }: { readonly job: JobRow; readonly project: ProjectRow },
): Promise<void> {
  const { db, clock, log, signal } = context
  const { head_commit: commit, pull_number: number } = job
  if (commit === null || number === null || !(await isCandidate(db, job, commit))) return
  const found = await merging.checks({ number, head: commit }, signal)
  if (found.kind === 'unknown') return
  const failed = failedOf(found.value)
  if (failed.length === 0) return
  const checks = await readAll(context, failed)
  const head = {
    job,
    commit,
    failed: checks.map(({ name, link, log: lines }) => ({ name, link, hasLog: lines !== undefined })),
    message: toMessage({ commit, checks }, context.redactor.redact),
    lacks: lackOf(job, project, context.modelId),
  }
  try {
    const isNew = await recordFailed(db, head, clock.now())
    if (isNew) log.info({ jobId: job.id, commit, failed: failed.length }, 'checks of the forge failed')
  } catch (error) {
    // The job takes no message now.
    if (!(error instanceof Failure)) throw error
    log.warn({ err: error, jobId: job.id }, 'failed checks could not be given to the agent')
  }
}

function lackOf(job: JobRow, project: ProjectRow, serviceModel: string): string | null {
  try {
    const isBuiltIn = modelOf(job, project, serviceModel) === builtInModel
    return isBuiltIn ? 'The built-in model cannot read logs: the project needs a language model.' : null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message
  }
}

export function wantsFailedChecks({ pull_request: settings }: Pick<ProjectRow, 'pull_request'>): boolean {
  return pullSettingsOf({ pull_request: settings }).onFailedChecks === 'fix'
}

async function isCandidate(db: Db, job: JobRow, commit: string): Promise<boolean> {
  if (job.status !== 'completed' || job.pull_state !== 'open' || outcomeOf(job) === 'needs_input') return false
  if (readPullMarks(job.pull_marks)?.head !== commit) return false
  if (await isKnown(db, job.id, commit)) return false
  // It becomes a message, which comes first.
  if (await hasWaitingComment(db, job.id)) return false
  const { rows } = await sql`/* forgeChecks.young */ select 1 from runs where job_id = ${job.id}
    and commit_id = ${commit} and ended_at > now() - interval '7 days' limit 1`.execute(db)
  return rows.length > 0
}

/** Empty as long as one of the others may still end. The service's own statuses are no checks. */
function failedOf(checks: readonly ForgeCheck[]): readonly (ForgeCheck & Required<Pick<ForgeCheck, 'failure'>>)[] {
  const counted = checks.filter(({ name, isReview }) => isReview !== true && !name.startsWith('docent/'))
  if (counted.some(({ state }) => state === 'pending')) return []
  return counted.flatMap(({ failure, ...check }) => (failure ? [{ ...check, failure }] : []))
}

async function readAll(context: ForgeChecksContext, failed: ReturnType<typeof failedOf>) {
  const checks: FailedCheck[] = []
  for (const [at, { name, failure }] of failed.entries()) {
    const log = at < mostLogs ? await readLog(context, failure.readLog) : undefined
    checks.push({ name, description: failure.description, link: failure.link, log })
  }
  return checks
}

type ReadLog = (signal: AbortSignal) => Promise<string | undefined>

async function readLog({ redactor, signal }: ForgeChecksContext, read: ReadLog): Promise<string | undefined> {
  try {
    const log = await read(signal)
    return log === undefined ? undefined : lastLines(log, redactor.redact) || undefined
  } catch (error) {
    if (!(error instanceof Failure) || isOfProject(error)) throw error
    return undefined
  }
}
