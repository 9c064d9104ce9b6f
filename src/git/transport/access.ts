// Finds out whether a credential may read a repository and push to it, before a run spends money. Transfers no objects and
// writes nothing. Covers only the start of a push: branch rules and hooks are checked later, by the host.

import { access, constants, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../lib/failure.ts'
import type { Mirror } from '../cache/mirror.ts'
import type { RepositoryAccess } from '../types.ts'
import { type Advertisement, askRefs } from './advertisement.ts'
import { isOtherHost } from './errors.ts'
import { archivedWords, hostRefusal } from './refusals.ts'
import { listRemote, remoteFailure, runRemote } from './remote.ts'

/** Throws failures that do not concern rights: `repository_unreachable`, `repository_moved` and `forge_rate_limited`. */
async function probeAccess(mirror: Mirror, signal: AbortSignal): Promise<RepositoryAccess> {
  if (mirror.address.protocol === 'file') return await probeFolder(mirror, signal)
  if (mirror.address.protocol === 'ssh') return await probeSsh(mirror, signal)
  const push = await askRefs(mirror, 'git-receive-pack', signal)
  if (push.kind === 'offered') return mayPush
  const read = await askRefs(mirror, 'git-upload-pack', signal)
  return read.kind === 'offered' ? readOnly(push) : refused(push, read)
}

/**
 * The right to read one repository, and the right to push to another: a fork. Throws as `probeAccess` does. The words about
 * the push name the fork.
 */
export async function probeBoth(mirror: Mirror, published: Mirror, signal: AbortSignal): Promise<RepositoryAccess> {
  const push = await probeAccess(published, signal)
  if (mirror === published) return push
  const read = await probeAccess(mirror, signal)
  if (read.read === 'no' || read.code === 'repository_archived') return read
  if (push.code === null) return push
  return { ...push, read: 'yes', push: 'no', detail: `The fork ${published.address.href}: ${push.detail}` }
}

/**
 * Whether anybody may read the repository: the host offers it to a request without the credential. Nobody else reads a folder
 * of this machine. Undefined if that is not known: over ssh, and if the host does not answer.
 */
export async function isPublic(mirror: Mirror, signal: AbortSignal): Promise<boolean | undefined> {
  const { protocol } = mirror.address
  if (protocol === 'file') return false
  if (protocol === 'ssh') return undefined
  try {
    return (await askRefs(withoutCredential(mirror), 'git-upload-pack', signal)).kind === 'offered'
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) return undefined
    throw error
  }
}

function withoutCredential(mirror: Mirror): Mirror {
  const { credentialOf: _, ...options } = mirror.options
  return { ...mirror, options }
}

/** The right to read alone: asks nothing about a push. Throws as `probeAccess` does. `push` is `unknown`. */
export async function probeRead(mirror: Mirror, signal: AbortSignal): Promise<RepositoryAccess> {
  const { protocol } = mirror.address
  if (protocol === 'https' || protocol === 'http') {
    const read = await askRefs(mirror, 'git-upload-pack', signal)
    return read.kind === 'offered' ? mayRead : { ...refused(read, read), push: 'unknown' }
  }
  try {
    await listRemote(mirror, [], signal)
    return mayRead
  } catch (error) {
    return { ...noAccess(error), push: 'unknown' }
  }
}

type Refused = Extract<Advertisement, { kind: 'refused' }>

const mayPush: RepositoryAccess = {
  read: 'yes',
  push: 'yes',
  code: null,
  isRefused: false,
  detail: 'Reading and pushing are allowed.',
}

const mayRead: RepositoryAccess = { ...mayPush, push: 'unknown', detail: 'Reading is allowed.' }

function readOnly(push: Refused): RepositoryAccess {
  const found = readable
  if (archivedWords.test(push.words)) {
    return { ...found, code: 'repository_archived', detail: withWords('The repository is archived.', push) }
  }
  if (push.status === 401) {
    const detail = push.hasCredential ? wrong : 'Anyone may read the repository, and a push needs a credential.'
    const isRefused = push.hasCredential
    return { ...found, ...doubt(push), isRefused, code: 'repository_unauthorized', detail: withWords(detail, push) }
  }
  const who = push.hasCredential ? 'The credential may read the repository' : 'Anyone may read the repository'
  return {
    ...found,
    ...doubt(push),
    code: 'forge_right_missing',
    detail: withWords(`${who}, and may not push to it.`, push),
  }
}

const wrong = 'The host refused the credential: it is wrong, has expired, or was revoked.'

function refused(push: Refused, read: Refused): RepositoryAccess {
  const found = { read: 'no', push: 'no', code: 'repository_unauthorized', isRefused: false } as const
  const isWrong = push.status === 401 || read.status === 401
  if (isWrong && !push.hasCredential) return { ...found, detail: 'The host asks for a credential.' }
  if (isWrong) return { ...found, isRefused: true, isUnexplained: true, detail: withWords(wrong, push) }
  const isHidden = push.status === 404 && read.status === 404
  const hidden = push.hasCredential ? 'or the credential may not see it.' : 'or it is private and needs a credential.'
  if (isHidden) return { ...found, detail: `There is no repository at the address, ${hidden}` }
  const detail = push.hasCredential ? 'The credential may not read the repository.' : 'The host refused to be read.'
  return { ...found, ...doubt(read), detail: withWords(detail, read) }
}

function doubt({ status, words }: Refused): Pick<RepositoryAccess, 'isUnexplained'> {
  const isUnexplained = status === 401 || (status === 403 && hostRefusal(words) === undefined)
  return isUnexplained ? { isUnexplained } : {}
}

function withWords(detail: string, { words }: Refused): string {
  return words === '' ? detail : `${detail} The host says: ${/[.!?]$/.test(words) ? words : `${words}.`}`
}

/** Lists the refs that the host offers for a fetch, then those for a push. */
async function probeSsh(mirror: Mirror, signal: AbortSignal): Promise<RepositoryAccess> {
  try {
    await listRemote(mirror, [], signal)
  } catch (error) {
    return noAccess(error)
  }
  const result = await runRemote(mirror, { args: ['ls-remote', '--upload-pack=git-receive-pack', '--', null] }, signal)
  if (result.ended === 'exit' && result.code === 0) return mayPush
  const failure = remoteFailure(mirror, result, 'push')
  if (failure.code === 'repository_archived') return { ...readable, code: failure.code, detail: failure.message }
  if (failure.code !== 'repository_unauthorized') throw failure
  return { ...readable, code: 'forge_right_missing', detail: failure.message }
}

const readable = { read: 'yes', push: 'no', isRefused: false } as const

/** Returns a refusal for a missing right, and throws every other error. */
function noAccess(error: unknown): RepositoryAccess {
  if (!(error instanceof Failure) || error.code !== 'repository_unauthorized') throw error
  const refused = { read: 'no', push: 'no', code: error.code, isRefused: false, detail: error.message } as const
  return isOtherHost(error) ? { ...refused, isOtherHost: true } : refused
}

async function probeFolder(mirror: Mirror, signal: AbortSignal): Promise<RepositoryAccess> {
  try {
    await listRemote(mirror, [], signal)
  } catch (error) {
    return noAccess(error)
  }
  const folder = fileURLToPath(mirror.address.href)
  const inner = await stat(join(folder, '.git')).catch(() => undefined)
  const gitDir = inner?.isDirectory() === true ? join(folder, '.git') : folder
  for (const name of ['objects', 'refs']) {
    const problem = await access(join(gitDir, name), constants.W_OK | constants.X_OK).then(
      () => false,
      () => true,
    )
    if (!problem) continue
    const detail = `The service may read the folder, and may not write to ${name} in it.`
    return { ...readable, code: 'forge_right_missing', detail }
  }
  return mayPush
}
