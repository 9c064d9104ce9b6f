// The sources that a job needs: those that it names, or all of its project.

import { invalidFields } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'

/** Throws `invalid_input` for a name that no source of the project has. `field` has the names in the request. */
export async function refuseContext(
  db: Db,
  projectId: string,
  context: readonly string[],
  field = 'context',
): Promise<void> {
  if (context.length === 0) return
  const rows = await db.selectFrom('sources').select('name').where('project_id', '=', projectId).execute()
  const known = rows.map(({ name }) => name).toSorted()
  const unknown = [...context.entries()].filter(([, name]) => !known.includes(name))
  if (unknown.length === 0) return
  const has = known.length === 0 ? 'which has no source' : `which has ${known.join(', ')}`
  throw invalidFields(
    unknown.map(([at]) => ({ pointer: `#/${field}/${at}`, message: `must be a source of the project, ${has}` })),
  )
}

/** The column that keeps the choice; empty without a choice. */
export function contextColumn(context: readonly string[] | undefined): { readonly context?: string } {
  return context === undefined ? {} : { context: JSON.stringify([...new Set(context)]) }
}

/** The names that a job chose. Undefined: all sources of the project. */
export function chosenContext(stored: string | null): ReadonlySet<string> | undefined {
  return stored === null ? undefined : new Set(JSON.parse(stored) as readonly string[])
}
