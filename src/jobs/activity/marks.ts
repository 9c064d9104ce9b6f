// Where the lists of a forge were left: those of a pull request on its job, those of the whole repository on the project.

import { z } from 'zod'
import { entryKinds, type Marks, marksSchema } from '../../forge/activity/activity.ts'
import type { Db } from '../../postgres/types.ts'

const pullMarksSchema = z.object({
  lists: marksSchema,
  /** How many comments the forge counted. */
  comments: z.number().nullable(),
  base: z.string(),
  head: z.string(),
  /** Kinds that the credential may not read. */
  off: z.array(z.enum(entryKinds)).readonly(),
})

export type PullMarks = z.infer<typeof pullMarksSchema>

/** Undefined: there are no marks yet, or they are those of another release. */
export function readPullMarks(stored: string | null): PullMarks | undefined {
  return stored === null ? undefined : pullMarksSchema.safeParse(JSON.parse(stored)).data
}

/** Empty for another repository than the one that the marks are of. */
export async function readRepositoryMarks(db: Db, projectId: string, repository: string): Promise<Marks> {
  const query = db.selectFrom('repository_marks').select(['repository', 'marks']).where('project_id', '=', projectId)
  const row = await query.executeTakeFirst()
  if (row?.repository !== repository) return {}
  return marksSchema.safeParse(JSON.parse(row.marks)).data ?? {}
}

/** Stored after the entries that were read up to there: a process that dies in between leads to another reading. */
export async function storeRepositoryMarks(
  db: Db,
  projectId: string,
  { repository, marks }: { readonly repository: string; readonly marks: Marks },
): Promise<void> {
  const row = { repository, marks: JSON.stringify(marks) }
  await db
    .insertInto('repository_marks')
    .values({ project_id: projectId, ...row })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}
