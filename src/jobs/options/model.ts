// The model that works on a job: the one that the job chose, if its project still allows it, otherwise that of the
// project, otherwise that of the service. Pure.

import { Failure, invalidInput } from '../../lib/failure.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'

/** It carries out a few kinds of instructions, and reads no prose. */
export const builtInModel = 'docent/rules'

export type ModelsOfProject = Pick<ProjectRow, 'model' | 'models'>

/** `serviceModel`: the model of projects without one of their own. Throws `invalid_input`. */
export function refuseModel(model: string, project: ModelsOfProject, serviceModel: string): void {
  const allowed = allowedModels(project, serviceModel)
  if (allowed.includes(model)) return
  throw invalidInput('#/model', `must be a model that the project allows: ${allowed.join(', ')}`)
}

/** Throws `model_not_configured` when the project has stopped allowing the model of the job. */
export function modelOf(
  { chosen_model: chosen }: Pick<JobRow, 'chosen_model'>,
  project: ModelsOfProject,
  serviceModel: string,
): string {
  const allowed = allowedModels(project, serviceModel)
  if (chosen === null) return allowed[0]
  if (allowed.includes(chosen)) return chosen
  throw new Failure(
    'model_not_configured',
    `The project does not allow the model ${chosen} of this job any more. Send a message with another model, such as ${allowed[0]}, or allow it in the settings of the project (\`models\`).`,
  )
}

/** The default is the first one. */
function allowedModels({ model, models }: ModelsOfProject, serviceModel: string): readonly [string, ...string[]] {
  const usual = model ?? serviceModel
  return [usual, ...models.filter((one) => one !== usual)]
}
