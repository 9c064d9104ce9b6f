// Finds out whether a project has everything that a kind of automation needs, and says what to do about the rest.

import { builtInModel } from '../../jobs/options/model.ts'
import { invalidInput } from '../../lib/failure.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import type { AutomationChange, CompleteAutomation } from '../automation.ts'
import { type Need, needsOf, type ReadyKind, readyKindOf } from './kinds.ts'

/** `message` continues the name of the kind. */
export type Lack = { readonly need: Need; readonly message: string }

const messages: Readonly<Record<Need, string>> = {
  source:
    'needs a source of the product to compare with: add one in the settings of the project, or with `docent source add`',
  page_views: 'needs page views: add a site in the settings of the project, with a tracker or logs of its servers',
  language_model:
    'needs a language model: choose one in the settings of the project, or with `docent project update --model`',
}

/** `model`: the one that its jobs would use. */
export type Having = { readonly model: string; readonly source: string | undefined; readonly hasSite: boolean }

export async function readHaving(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'model'>,
  serviceModel: string,
): Promise<Having> {
  const site = db.selectFrom('sites').select('id').where('project_id', '=', project.id).limit(1)
  const hasSite = (await site.executeTakeFirst()) !== undefined
  return { model: project.model ?? serviceModel, source: await firstSource(db, project.id), hasSite }
}

/** By name. */
export async function firstSource(db: Db, projectId: string): Promise<string | undefined> {
  const query = db.selectFrom('sources').select('name').where('project_id', '=', projectId)
  return (await query.orderBy('name').executeTakeFirst())?.name
}

export function findLacks(kind: ReadyKind, { model, source, hasSite }: Having): readonly Lack[] {
  const isThere: Readonly<Record<Need, boolean>> = {
    source: source !== undefined,
    page_views: hasSite,
    language_model: model !== builtInModel,
  }
  return needsOf(kind).flatMap((need) => (isThere[need] ? [] : [{ need, message: messages[need] }]))
}

type Wanted = Pick<CompleteAutomation, 'kind' | 'model'> & {
  /** As it is given. */
  readonly trigger: AutomationChange['trigger']
  readonly modelId: string
}

/** Throws `invalid_input`. */
export async function refuseLacking(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'model'>,
  { kind, model, trigger, modelId }: Wanted,
): Promise<void> {
  const ready = readyKindOf(kind)
  if (!ready) return
  const having = await readHaving(db, project, modelId)
  // The product may be in the repository of its documentation, if a person says so.
  const isHere = trigger?.type === 'code' && trigger.source === null
  const lacks = findLacks(ready, { ...having, model: model ?? having.model })
  const lack = lacks.find(({ need }) => !(need === 'source' && isHere))
  if (lack) throw invalidInput('#/kind', lack.message)
}
