// Decides what a run reads beside its repository: fetches the newest commit of each source that the job needs, and pins it
// for the run. A source that the job names must be there; without any other one the run works, and says so.

import type { WantedSource } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { SourceRow } from '../../postgres/schema.ts'
import type { RunPart } from '../run/context.ts'
import { chosenContext } from './choose.ts'
import type { RunSource } from './run-sources.ts'
import { createIsVisible } from './visible.ts'

type Context = RunPart<'job' | 'project' | 'run' | 'signal', 'db' | 'git'>

/** Throws `context_unavailable`. */
export async function pinSources(context: Context): Promise<readonly RunSource[]> {
  const { deps, job, project } = context
  const query = deps.db.selectFrom('sources').selectAll().where('project_id', '=', project.id)
  const rows = await query.orderBy('name').execute()
  const chosen = chosenContext(job.context)
  for (const name of chosen ?? []) {
    if (!rows.some((row) => row.name === name)) throw unavailable(name, 'the project has no such source any more', true)
  }
  const wanted = rows.filter(({ name }) => chosen?.has(name) ?? true)
  return await Promise.all(wanted.map((row) => orMissing(context, toSource(row), chosen, pinNewest)))
}

/** For a run that continues, perhaps on another machine. Throws `context_unavailable`. */
export async function holdPins(context: Context, sources: readonly RunSource[]): Promise<readonly RunSource[]> {
  const chosen = chosenContext(context.job.context)
  return await Promise.all(sources.map((source) => orMissing(context, source, chosen, holdPin)))
}

type Unpinned = Omit<RunSource, 'commit' | 'missing'>

function toSource({ id, name, repository, branch, paths }: SourceRow): Unpinned {
  return { id, name, repository, branch, paths: JSON.parse(paths) as readonly string[] }
}

async function orMissing<Source extends Unpinned>(
  context: Context,
  source: Source,
  chosen: ReadonlySet<string> | undefined,
  pin: (context: Context, source: Source) => Promise<RunSource>,
): Promise<RunSource> {
  try {
    return await pin(context, source)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    if (chosen?.has(source.name)) throw unavailable(source.name, error.message, !error.mayRetry, error)
    return { ...source, commit: null, missing: error.message }
  }
}

async function pinNewest({ deps, run, signal }: Context, source: Unpinned): Promise<RunSource> {
  const repository = deps.git.source(source.id, source.repository)
  const found = await repository.fetch(wantedOf(source), signal)
  return { ...source, branch: found.branch, commit: await repository.pin(run.id, found.commit) }
}

/** The pin may be gone with its mirror, which was made again or is another machine's. */
async function holdPin({ deps, run, signal }: Context, source: RunSource): Promise<RunSource> {
  const { commit } = source
  if (commit === null) return source
  const repository = deps.git.source(source.id, source.repository)
  if ((await repository.pinned(run.id)) === commit) return source
  await repository.ensure(commit, wantedOf(source), signal)
  await repository.pin(run.id, commit)
  return source
}

function wantedOf({ branch, paths }: Unpinned): WantedSource {
  return { branch, isVisible: createIsVisible(paths) }
}

function unavailable(name: string, reason: string, isFinal: boolean, cause?: unknown): Failure {
  return new Failure('context_unavailable', `The job needs the source ${name}, which cannot be read: ${reason}`, {
    isFinal,
    cause,
  })
}
