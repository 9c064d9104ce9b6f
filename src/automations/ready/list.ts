// The ready-made automations as a project can turn them on.

import type { JobsContext } from '../../jobs/context.ts'
import { Failure } from '../../lib/failure.ts'
import type { Trigger } from '../automation.ts'
import { findLacks, type Lack, readHaving } from './lacks.ts'
import { type Need, needsOf, readyKinds, readyNames, type ReadyKind, type ReadyName } from './kinds.ts'
import { triggerFor } from './complete.ts'
import { kindReadsOutsiders, optionsOf } from './options.ts'
import { readInstructions } from './prompt.ts'

export type ReadyAutomation = Pick<ReadyKind, 'title' | 'description' | 'grouping'> & {
  readonly kind: ReadyName
  readonly trigger: Trigger
  readonly readsOutsiders: boolean
  readonly needs: readonly Need[]
  /** Everything that the project does not have. Empty: it can be turned on. */
  readonly lacks: readonly Lack[]
  readonly options: readonly { readonly name: string; readonly about: string }[]
  /** For a language model, without what a project adds. */
  readonly instructions: string
}

/** Throws `not_found`. */
export async function listReady({ db, modelId }: JobsContext, projectId: string): Promise<readonly ReadyAutomation[]> {
  const query = db.selectFrom('projects').select(['id', 'model']).where('id', '=', projectId)
  const project = await query.executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const having = await readHaving(db, project, modelId)
  return readyNames.map((kind) => {
    const ready: ReadyKind = readyKinds[kind]
    const { title, description, grouping } = ready
    const all = optionsOf(kind, {})
    return {
      kind,
      title,
      description,
      trigger: triggerFor(ready, having.source),
      grouping,
      readsOutsiders: kindReadsOutsiders(kind, all),
      needs: needsOf(ready),
      lacks: findLacks(ready, having),
      options: Object.entries(ready.options).map(([name, { about }]) => ({ name, about })),
      instructions: readInstructions(kind, all),
    }
  })
}
