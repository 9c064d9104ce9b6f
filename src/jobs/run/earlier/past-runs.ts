// Loads the earlier runs of a job for a later one: their facts. A model without a limit, and a run that began
// before there were digests, get their turns.

import { digestNotices, hasDigest, type PastRun } from '../../../agent/context/digest.ts'
import type { Model, ModelMessage } from '../../../agent/model/types.ts'
import type { Finish } from '../../../agent/tool.ts'
import type { Turn } from '../../../agent/transcript.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import type { Db } from '../../../postgres/types.ts'
import type { JobError } from '../../events/events.ts'
import type { RunPart } from '../context.ts'
import { toTurn } from '../turns.ts'

export type Earlier = {
  /** The turns to send before those of this run. */
  readonly turns: readonly Turn[]
  /** For the first turn of this run. */
  readonly notices: readonly ModelMessage[]
}

/** `stored`: the turns of this run. */
export async function loadEarlier(
  context: RunPart<'job' | 'run', 'db' | 'redactor'>,
  stored: readonly Turn[],
  model: Pick<Model, 'contextTokens'>,
): Promise<Earlier> {
  if (context.run.number === 1) return { turns: [], notices: [] }
  const hasBegun = stored.length > 0
  const needsTurns = model.contextTokens === Infinity || (hasBegun && !hasDigest(stored))
  return {
    turns: needsTurns ? await loadTurnsBefore(context) : [],
    notices: hasBegun ? [] : digestNotices(mapStrings(await loadPastRuns(context), context.deps.redactor.hide)),
  }
}

async function loadTurnsBefore({ deps, job, run }: RunPart<'job' | 'run', 'db'>): Promise<readonly Turn[]> {
  const rows = await deps.db
    .selectFrom('turns')
    .innerJoin('runs', 'runs.id', 'turns.run_id')
    .selectAll('turns')
    .where('runs.job_id', '=', job.id)
    .where('runs.number', '<', run.number)
    .orderBy('runs.number')
    .orderBy('turns.number')
    .execute()
  return rows.map(toTurn)
}

async function loadPastRuns({ deps: { db }, job, run }: RunPart<'job' | 'run', 'db'>): Promise<readonly PastRun[]> {
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'number', 'finish'])
    .where('job_id', '=', job.id)
    .where('number', '<', run.number)
    .orderBy('number')
    .execute()
  const ids = runs.map(({ id }) => id)
  const [messages, errors, changed] = [await loadMessages(db, ids), await loadErrors(db, ids), await loadPaths(db, ids)]
  return runs.map(({ id, number, finish }) => ({
    number,
    messages: messages.flatMap((one) => (one.run_id === id ? [JSON.parse(one.prompt) as string] : [])),
    finish: finish === null ? undefined : (JSON.parse(finish) as Finish),
    error: errors.get(id),
    changed: changed.flatMap((one) =>
      one.run_id === id ? [{ path: one.path, isDeleted: one.isDeleted === true }] : [],
    ),
  }))
}

function loadMessages(db: Db, ids: readonly string[]) {
  return db.selectFrom('messages').select(['run_id', 'prompt']).where('run_id', 'in', ids).orderBy('ordinal').execute()
}

async function loadErrors(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string | null, JobError>> {
  const rows = await db
    .selectFrom('events')
    .select(['run_id', 'data'])
    .where('run_id', 'in', ids)
    .where('type', '=', 'run_ended')
    .execute()
  return new Map(
    rows.flatMap(({ run_id: id, data }) => {
      const { error } = JSON.parse(data) as { readonly error: JobError | null }
      return error === null ? [] : [[id, error] as const]
    }),
  )
}

/** The last edit of a path says whether it is there. */
function loadPaths(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('edits')
    .distinctOn(['run_id', 'path'])
    .select(({ eb }) => ['run_id', 'path', eb('content', 'is', null).as('isDeleted')])
    .where('run_id', 'in', ids)
    .orderBy('run_id')
    .orderBy('path')
    .orderBy('turn', 'desc')
    .execute()
}
