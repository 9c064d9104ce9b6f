// Finds out whether a project has everything that a kind of automation needs, and says what to do about the rest.

import { invalidInput } from '../../lib/failure.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { type AutomationKind, builtInModel, type Need, needsOf, type ReadyKind, readyKindOf } from './kinds.ts'

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
export type Having = { readonly model: string; readonly hasSource: boolean; readonly hasSite: boolean }

export async function readHaving(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'model'>,
  serviceModel: string,
): Promise<Having> {
  const has = async (table: 'sources' | 'sites') => {
    const query = db.selectFrom(table).select('id').where('project_id', '=', project.id).limit(1)
    return (await query.executeTakeFirst()) !== undefined
  }
  return { model: project.model ?? serviceModel, hasSource: await has('sources'), hasSite: await has('sites') }
}

export function findLacks(kind: ReadyKind, { model, hasSource, hasSite }: Having): readonly Lack[] {
  const isThere: Readonly<Record<Need, boolean>> = {
    source: hasSource,
    page_views: hasSite,
    language_model: model !== builtInModel,
  }
  return needsOf(kind).flatMap((need) => (isThere[need] ? [] : [{ need, message: messages[need] }]))
}

type Wanted = { readonly kind: AutomationKind; readonly model?: string | null | undefined; readonly modelId: string }

/** Throws `invalid_input`. */
export async function refuseLacking(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'model'>,
  { kind, model, modelId }: Wanted,
): Promise<void> {
  const ready = readyKindOf(kind)
  if (!ready) return
  const having = await readHaving(db, project, modelId)
  const [lack] = findLacks(ready, { ...having, model: model ?? having.model })
  if (lack) throw invalidInput('#/kind', lack.message)
}
