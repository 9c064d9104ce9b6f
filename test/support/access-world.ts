// A project with a credential, whose git host and forge answer a check as a test says.

import assert from 'node:assert/strict'
import type { Access, ForgeHost, KnownRights } from '../../src/forge/host.ts'
import type { Git, RepositoryAccess } from '../../src/git/types.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Db } from '../../src/postgres/types.ts'
import { type AccessContext, reportCredential, requireAccess } from '../../src/projects/access/access.ts'
import { createConnections } from '../../src/projects/connections.ts'
import { type NewCredential, putCredential } from '../../src/projects/credentials.ts'
import { createProject } from '../../src/projects/projects.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { createManualClock } from './manual-clock.ts'

const signal = new AbortController().signal
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
export const all = { read: 'yes', push: 'yes', pullRequests: 'yes' } as const
/** GitHub does not show whether a token may push. */
export const mayAll: Access = { account: 'octocat', rights: { ...all, push: 'unknown' }, missing: [], expiresAt: null }
export const badToken = new Failure('repository_unauthorized', 'Bad credentials')
export const mayPush: RepositoryAccess = {
  read: 'yes',
  push: 'yes',
  code: null,
  isRefused: false,
  detail: 'Reading and pushing are allowed.',
}
export const readOnly: RepositoryAccess = {
  read: 'yes',
  push: 'no',
  code: 'forge_right_missing',
  isRefused: false,
  detail: 'It may not push.',
}
export const refused: RepositoryAccess = {
  read: 'no',
  push: 'no',
  code: 'repository_unauthorized',
  isRefused: true,
  detail: 'It is wrong.',
}

const addresses = { forge: 'github', webUrl: 'https://github.com', apiUrl: 'https://api.github.com' } as const
export const token: NewCredential = { kind: 'token', ...addresses, secret: 'github_pat_1' }
export const app: NewCredential = { kind: 'github_app', ...addresses, installationId: 7 }
export const basic: NewCredential = { kind: 'basic', webUrl: 'https://github.com', user: 'u', secret: 'p' }

const identity = { name: 'Docent', email: 'docent@localhost' }

export type AccessWorld = {
  readonly git?: RepositoryAccess | Failure
  readonly host?: Access | Failure
  readonly credential?: NewCredential
  readonly commit?: null
}

export const base = { branch: 'main', commit: 'c0ffee' }

export async function accessWorld(db: Db, { credential, commit, ...given }: AccessWorld) {
  let { git = mayPush, host = git === refused ? badToken : mayAll } = given
  const set = (next: Pick<AccessWorld, 'git' | 'host'>) => ({ git = git, host = host } = next)
  /** Who was asked: git's host, or the API of the forge. */
  const asked: string[] = []
  const say = <T>(who: string, found: T | Failure) => {
    asked.push(who)
    return found instanceof Failure ? Promise.reject(found) : Promise.resolve(found)
  }
  /** The rights that each call of the forge did not have to probe. */
  const knew: KnownRights[] = []
  const access: ForgeHost['access'] = (known) => {
    knew.push(known)
    return say('forge', host)
  }
  const none = () => null
  const checks = {
    checkAddress: (address: string) => address,
    branchProblem: none,
    modelProblem: none,
    pageProblem: none,
  }
  const projects = { db, ...checks, identity }
  const { id } = await createProject(projects, { name: 'x', repository: 'https://github.com/acme/docs.git' })
  if (credential) await putCredential({ db, secrets }, id, credential)
  const connections = createConnections({
    db,
    secrets,
    clock: systemClock,
    openHost: () => ({ access }) as unknown as ForgeHost,
    mintToken: () => Promise.reject(new Error('nobody needs a token here')),
  })
  const probe = () => Promise.resolve(commit === null ? { branch: 'main', commit } : base)
  const repository = { probeAccess: () => say('git', git), probe, refuseBlocked: async () => undefined }
  const engine = { identity, repository: () => repository } as unknown as Git
  const clock = createManualClock(new Date())
  const context: AccessContext = { db, secrets, connections, git: engine, clock }
  return { context, id, asked, set, clock, knew }
}

type Given = Awaited<ReturnType<typeof accessWorld>>

/** The stored check. */
export async function shownCheck({ context, id }: Given) {
  const { rights, missing, problem, checkedAt } = (await reportCredential(context, id)) ?? assert.fail('no credential')
  return { rights, missing, problem, checkedAt }
}

/** Why no run may start, or `allowed`. */
export async function refusalOf({ context, id }: Given): Promise<string> {
  const error: unknown = await requireAccess(context, id, signal).then(
    () => undefined,
    (error: unknown) => error,
  )
  return error instanceof Failure ? `${error.code}: ${error.message}` : 'allowed'
}
