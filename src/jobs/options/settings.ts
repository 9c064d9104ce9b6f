// The settings of a job: its model, its sources and its limits, as its creator chooses them.

import type { JobRow, ProjectRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import { contextColumn, refuseContext } from '../sources/choose.ts'
import { type JobLimits, limitColumns } from './limits.ts'
import { refuseModel } from './model.ts'

export type JobSettings = {
  /** One that the project allows. Undefined: that of the project. */
  readonly model?: string | undefined
  /** The names of the sources that the job needs. Undefined: all of the project. */
  readonly context?: readonly string[] | undefined
  /** Undefined: those of the project alone. */
  readonly limits?: JobLimits | undefined
}

type Chosen = {
  readonly project: Pick<ProjectRow, 'model' | 'models'>
  readonly projectId: string
  readonly settings: JobSettings
}

/** Throws `invalid_input` for a model that the project does not allow, and for a source that it does not have. */
export async function refuseSettings(
  trx: Trx,
  { modelId }: { readonly modelId: string },
  { project, projectId, settings: { model, context } }: Chosen,
): Promise<void> {
  if (model !== undefined) refuseModel(model, project, modelId)
  if (context !== undefined) await refuseContext(trx, projectId, context)
}

/** Returns the columns of the job. */
export function settingColumns({ model, context, limits }: JobSettings) {
  const columns = { chosen_model: model ?? null, context: null, ...contextColumn(context), ...limitColumns(limits) }
  return columns satisfies Partial<JobRow>
}
