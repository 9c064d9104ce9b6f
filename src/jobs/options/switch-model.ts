// The model of a run that a message may change: before each new turn it is the one that the job has chosen by then. The
// transaction that takes the messages of a turn notes it.

import type { Model } from '../../agent/model/types.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import { updateJob } from '../store.ts'
import { modelOf } from './model.ts'

export type SwitchingModel = Model & {
  /** Stores on the job the model that it has chosen, if that is another one. The caller holds the lock of the job. */
  note(trx: Trx, job: JobRow): Promise<void>
  /** Opens the model that was noted. */
  refresh(): Promise<void>
}

type Switching = {
  readonly project: ProjectRow
  /** The id of the model that begins. */
  readonly modelId: string
  readonly deps: { readonly modelId: string }
}

/** Throws `model_not_configured`; so does `refresh`. */
export async function openSwitchingModel(
  context: Switching,
  open: (id: string) => Promise<Model>,
): Promise<SwitchingModel> {
  const now = { model: await open(context.modelId), noted: context.modelId }
  return {
    get id() {
      return now.model.id
    },
    get contextTokens() {
      return now.model.contextTokens
    },
    isPriced: () => now.model.isPriced(),
    respond: (request, signal) => now.model.respond(request, signal),
    note: async (trx, job) => {
      now.noted = modelOf(job, context.project, context.deps.modelId)
      if (now.noted !== now.model.id) await updateJob(trx, job.id, { model: now.noted })
    },
    refresh: async () => {
      if (now.noted !== now.model.id) now.model = await open(now.noted)
    },
  }
}
