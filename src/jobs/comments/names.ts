// The words that call Docent in the comments of a project, and the account whose own comments call nobody.

import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { command, nameOf } from './mention.ts'

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
    .select(['projects.mentions', 'credentials.account', 'credentials.kind'])
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  // The account of a host without an adapter is a user of git.
  const account = row?.kind === 'basic' ? null : (row?.account ?? null)
  // Nobody is mentioned by an address: of an API token of Bitbucket that may not ask for its account, nothing else is known.
  const isName = account !== null && !account.includes('@')
  return { where: row?.mentions ?? 'off', account, names: isName ? [nameOf(account)] : [] }
}

/** Empty: a comment on the pull request of the job is no message. */
export async function readCallWords(db: Db, job: JobRow): Promise<readonly string[]> {
  if (job.pull_forge === null || job.pull_forge === 'docent') return []
  const { where, names } = await readNames(db, job.project_id)
  return where === 'off' ? [] : [...names.map((name) => `@${name}`), command]
}
