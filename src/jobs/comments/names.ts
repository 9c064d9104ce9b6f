// The words that call Docent in the comments of a project, and the account whose own comments call nobody.

import type { Db } from '../../postgres/types.ts'
import { nameOf } from './mention.ts'

export type CallNames = {
  /** Where comments count. */
  readonly where: 'pull_requests' | 'everywhere' | 'off'
  /** The login of the credential; null: not known yet. */
  readonly account: string | null
  /** Without `@`. */
  readonly names: readonly string[]
}

export async function readNames(db: Db, projectId: string): Promise<CallNames> {
  const row = await db
    .selectFrom('projects')
    .leftJoin('credentials', 'credentials.owner', 'projects.id')
    .select(['projects.comments', 'credentials.account', 'credentials.kind'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  // The account of a host without an adapter is a user of git.
  const account = row?.kind === 'basic' ? null : (row?.account ?? null)
  return { where: row?.comments ?? 'off', account, names: account === null ? [] : [nameOf(account)] }
}
