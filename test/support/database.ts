// What tests of the features put into a database.

import { createId } from '../../src/lib/id.ts'
import type { Db } from '../../src/postgres/open.ts'

export async function addProject(db: Db, repository = 'https://example.com/docs.git'): Promise<string> {
  const id = createId('prj')
  const now = new Date()
  const row = { id, name: 'Test', repository, branch: null, model: null, created_at: now, updated_at: now }
  await db.insertInto('projects').values(row).execute()
  return id
}
