// The fork of a project: the repository that has the branches of its jobs when the credential may not push to the
// repository of the project itself. It belongs to an account of the forge, and is made on request only.

import { setTimeout as delay } from 'node:timers/promises'
import type { ForgeHost } from '../../forge/host.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { AccessContext } from './access.ts'
import { readCredential } from '../credentials.ts'
import { pathOf } from '../places.ts'
import { refuseBusy } from '../projects.ts'

export type ForkContext = Pick<AccessContext, 'connections' | 'db'> & {
  /** Normalises an address or throws `invalid_input`. */
  readonly checkAddress: (address: string) => string
}

/** How long a request waits for the forge to copy the repository. */
const mostMakingMs = 60_000
const pauseMs = 2_000

/**
 * Makes the fork of the credential's account, or takes the given one, and keeps it for the jobs that follow. Returns its
 * address. May be called again. Throws `not_found`, `invalid_input`, `project_busy`, `forge_refused` if this kind of
 * credential has no forks, `forge_right_missing` if it may not fork or the given repository is not a fork of this one,
 * `forge_unavailable` while the forge is still making it, and the other failures of a forge.
 */
export async function setFork(
  context: ForkContext,
  projectId: string,
  given: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { host } = await context.connections.of(projectId, signal)
  const forks = host?.forks
  if (!forks) throw noForks(host)
  const webUrl = (await readCredential(context.db, projectId))?.webUrl ?? ''
  const path = given === undefined ? await made(forks, signal) : pathOf(context.checkAddress(given), webUrl)
  if (path === undefined) {
    throw new Failure('invalid_input', `A fork is at the host of the repository: ${webUrl}/owner/name.git.`)
  }
  await forks.check(path, signal)
  const fork = context.checkAddress(`${webUrl}/${path}.git`)
  await keepFork(context.db, projectId, fork)
  return fork
}

/** Later jobs push to the repository itself. The fork stays where it is. Throws `not_found`, `project_busy`. */
export async function leaveFork(db: Db, projectId: string): Promise<void> {
  await keepFork(db, projectId, null)
}

async function made(forks: NonNullable<ForgeHost['forks']>, signal: AbortSignal): Promise<string> {
  const deadline = AbortSignal.timeout(mostMakingMs)
  for (;;) {
    const path = await forks.make(signal)
    if (path !== undefined) return path
    if (deadline.aborted) throw new Failure('forge_unavailable', 'The forge is still making the fork. Ask again.')
    await delay(pauseMs, undefined, { signal })
  }
}

function noForks(host: ForgeHost | undefined): Failure {
  const words =
    host?.kind === 'github'
      ? 'A GitHub App works in the repository itself. Enter a classic token of a machine account to use a fork.'
      : 'A fork needs a token of an account on GitHub, GitLab, Gitea or Forgejo that may read the repository.'
  return new Failure('forge_refused', words)
}

/** The branches of active jobs and of open pull requests stay where they are, so there may not be any. */
async function keepFork(db: Db, projectId: string, fork: string | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const query = trx.selectFrom('projects').select('fork').where('id', '=', projectId).forUpdate()
    const before = await query.executeTakeFirst()
    if (!before) throw new Failure('not_found', 'There is no such project.')
    if (before.fork === fork) return
    await refuseBusy(trx, projectId)
    await refuseOpen(trx, projectId)
    await trx.updateTable('projects').set({ fork, updated_at: new Date() }).where('id', '=', projectId).execute()
  })
}

async function refuseOpen(trx: Trx, projectId: string): Promise<void> {
  const open = await trx
    .selectFrom('jobs')
    .select('pull_number')
    .where('project_id', '=', projectId)
    .where('pull_state', '=', 'open')
    .orderBy('pull_number')
    .limit(10)
    .execute()
  if (open.length === 0) return
  const numbers = open.map(({ pull_number: number }) => `#${number}`).join(', ')
  throw new Failure(
    'project_busy',
    `Merge or close these pull requests first, whose branches would be left behind: ${numbers}.`,
  )
}
