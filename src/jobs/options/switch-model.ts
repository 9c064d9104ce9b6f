// The model of a run that a message may change: before each new turn it is the one that the job has chosen by then.

import type { Model } from '../../agent/model/types.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { lockJob, updateJob } from '../store.ts'
import { modelOf } from './model.ts'

export type SwitchingModel = Model & {
  /** Opens the model that the job has chosen since; call it when the messages of a turn were taken. */
  refresh(): Promise<void>
}

type Switching = LeasedRun & {
  readonly project: ProjectRow
  /** The id of the model that begins. */
  readonly modelId: string
  readonly deps: { readonly modelId: string }
}

/** Throws `model_not_configured`; so does `refresh`, which may also throw `LeaseLost`. */
export async function openSwitchingModel(
  context: Switching,
  open: (id: string) => Promise<Model>,
): Promise<SwitchingModel> {
  const now = { model: await open(context.modelId) }
  return {
    get id() {
      return now.model.id
    },
    get contextTokens() {
      return now.model.contextTokens
    },
    isPriced: () => now.model.isPriced(),
    respond: (request, signal) => now.model.respond(request, signal),
    refresh: async () => {
      const id = await noteModel(context, now.model.id)
      if (id !== now.model.id) now.model = await open(id)
    },
  }
}

/** Returns the id of the job's model, and stores it on the job if it is another one. */
function noteModel(context: Switching, before: string): Promise<string> {
  return writeAsRun(context, async (trx, run) => {
    const job = await lockJob(trx, run.job_id)
    const id = modelOf(job, context.project, context.deps.modelId)
    if (id !== before) await updateJob(trx, job.id, { model: id })
    return id
  })
}
