// Sends requests to the remote: lists its refs, and fetches the objects of some refs. Every call resolves the host
// again and pins its addresses. The caller of `fetchRefs` holds the mirror's lock.

import { Failure } from '../../lib/failure.ts'
import { askAgain } from '../../lib/outbound/ask-again.ts'
import { systemResolve } from '../../lib/outbound/resolve.ts'
import { limitOf } from '../../lib/outbound/retry-after.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import type { Address } from './address.ts'
import { noServer, whereMoved } from './advertisement.ts'
import { loginFor, withCredential } from './ask-credential.ts'
import { checkedAddresses, pinAddress } from './connect.ts'
import { gitFailure, mayPass, redirectWords } from './errors.ts'
import { type Mirror, failureOf, mirrorBytes } from '../cache/mirror.ts'
import { type GitCall, type GitResult, isDone } from './run.ts'
import { withSsh } from './ssh/command.ts'
import type { GitCredential, Oid } from '../types.ts'

export type Listing = {
  /** The branch that HEAD points to, if that exists. */
  readonly head: string | null
  /** The requested branches that exist, and the one that HEAD points to. */
  readonly branches: ReadonlyMap<string, Oid>
  /** Names of tags by the object that each leads to. */
  readonly tags: ReadonlyMap<Oid, readonly string[]>
}

const refPrefix = 'refs/heads/'
const tagPrefix = 'refs/tags/'
const tagName = /^[\w@.+/-]{1,100}$/
/** A longer list is read without its tags. A tag takes about 100 bytes. */
const maxTagBytes = 4_000_000
/** How often the size of the mirror is measured while a fetch runs. */
const measureMs = 100

type RemoteCall = Pick<GitCall, 'maxBytes' | 'input'> & { readonly args: readonly (string | null)[] }

/**
 * Runs a command that connects to the remote. In `args`, null stands for its address. The command runs again when the
 * connection broke or the host failed, and with another credential, such as a token that was minted again, when the host
 * refuses the first one. Throws `repository_moved` when the host redirects.
 */
export async function runRemote(mirror: Mirror, call: RemoteCall, signal: AbortSignal): Promise<GitResult> {
  const attempt = (credential: GitCredential | undefined) => runWith(mirror, call, credential, signal)
  const run = () => withCredential(mirror, attempt, isUnauthorized, signal)
  const result = await askAgain(run, (done) => isBroken(mirror, done), signal)
  if (isRedirect(result)) throw await whereMoved(mirror, signal)
  return result
}

async function runWith(
  mirror: Mirror,
  given: RemoteCall,
  credential: GitCredential | undefined,
  signal: AbortSignal,
): Promise<GitResult> {
  const { address, options, gitDir, runner } = mirror
  const args = given.args.map((argument) => argument ?? address.href)
  const call = { ...given, args, gitDir, protocol: address.protocol }
  const resolve = options.resolve ?? systemResolve
  if (address.protocol !== 'ssh') {
    const config = await pinAddress(address, resolve, signal)
    const login = loginFor(mirror, credential)
    const result = await runner.run({ ...call, config, credential: login, readsResponses: isHttp(address) }, signal)
    reportDate(mirror, result)
    refuseLimited(result)
    return result
  }
  if (credential === undefined || !('privateKey' in credential)) throw new Failure('repository_unauthorized', needsKey)
  const addresses = await checkedAddresses(address, resolve, signal)
  const { directory } = options
  return await withSsh(
    { address, addresses, credential, directory },
    async (ssh) => await runner.run({ ...call, ssh }, signal),
  )
}

function isHttp({ protocol }: Address): boolean {
  return protocol === 'https' || protocol === 'http'
}

/** A date that arrives without protection is worth nothing. */
function reportDate({ address: { protocol, href: url }, options }: Mirror, { response }: GitResult): void {
  const date = response?.headers.date
  if (protocol === 'https' && date !== undefined) options.dateReport?.()?.({ url, date })
}

/** Git's own words are the same for a limit and for a missing right. */
function refuseLimited(result: GitResult): void {
  const { response, stderr } = result
  if (isDone(result) || response === undefined) return
  const retryAfter = limitOf({ ...response, words: stderr }, Date.now())
  if (retryAfter === undefined) return
  throw new Failure('forge_rate_limited', `The host asks to wait. Git says: ${sanitise(stderr)}`, { retryAfter })
}

const needsKey = 'The repository is reached over ssh, and the project has no key for it.'

function isUnauthorized(result: GitResult): boolean {
  if (result.ended !== 'exit' || result.code === 0) return false
  return gitFailure(result.stderr, 'git').code === 'repository_unauthorized'
}

/** Such failures mostly pass. A host that is away for longer is waited for by the run. */
function isBroken(mirror: Mirror, result: GitResult): boolean {
  if (result.ended === 'half') return true
  if (isDone(result) || /couldn't find remote ref/.test(result.stderr)) return isPage(mirror, result)
  return result.ended === 'exit' && result.response?.headers['retry-after'] === undefined && mayPass(result.stderr)
}

/** Git reads a page of HTML with status 200 as a list without refs, by the protocol of hosts that only serve files. */
function isPage({ address }: Mirror, { response }: GitResult): boolean {
  const type = response?.headers['content-type'] ?? ''
  return isHttp(address) && !type.startsWith('application/x-git-')
}

function isRedirect(result: GitResult): boolean {
  return result.ended === 'exit' && result.code !== 0 && redirectWords.test(result.stderr)
}

/**
 * Lists HEAD, the named branches and the tags: one request, because the remote lists everything and git picks. Without tags
 * if there are too many.
 */
export async function listWithTags(mirror: Mirror, branches: readonly string[], signal: AbortSignal): Promise<Listing> {
  const patterns = [...branches.map((branch) => refPrefix + branch), `${tagPrefix}*`]
  const args = ['ls-remote', '--symref', '--', null, 'HEAD', ...patterns]
  const result = await runRemote(mirror, { args, maxBytes: maxTagBytes }, signal)
  if (result.ended === 'full') return await listRemote(mirror, branches, signal)
  return readListing(mirror, result)
}

/** Lists HEAD and the named branches; null: all branches. */
export async function listRemote(
  mirror: Mirror,
  branches: readonly string[] | null,
  signal: AbortSignal,
): Promise<Listing> {
  const patterns = branches === null ? [`${refPrefix}*`] : branches.map((branch) => refPrefix + branch)
  const args = ['ls-remote', '--symref', '--', null, 'HEAD', ...patterns]
  return readListing(mirror, await runRemote(mirror, { args }, signal))
}

/** Lists one branch (null: the one that HEAD points to), and its commit if it exists. */
export async function probe(
  mirror: Mirror,
  branch: string | null,
  signal: AbortSignal,
): Promise<{ readonly branch: string | null; readonly commit: Oid | null }> {
  const { head, branches } = await listRemote(mirror, branch === null ? [] : [branch], signal)
  const name = branch ?? head
  return { branch: name, commit: (name !== null && branches.get(name)) || null }
}

/** A run must not conclude from a page that a branch is gone: the host counts as unreachable. */
function readListing(mirror: Mirror, result: GitResult): Listing {
  if (!isDone(result)) throw remoteFailure(mirror, result, 'ls-remote')
  if (isPage(mirror, result)) throw noServer()
  return parseListing(result.stdout.toString('utf8'))
}

/** `flags`: further ones of `git fetch`. `besideBytes`: what other folders hold, which counts for the limit. */
export type More = { readonly flags?: readonly string[] | undefined; readonly besideBytes?: number }

/** Fetches the objects of the branches that are not here, and sets the mirror's refs to them. */
export async function fetchRefs(
  mirror: Mirror,
  branches: readonly string[],
  signal: AbortSignal,
  more: More = {},
): Promise<void> {
  const result = await transfer(mirror, { ...more, args: branches.map(refspec) }, signal)
  if (!isDone(result)) throw remoteFailure(mirror, result, 'fetch')
}

/**
 * Does the same without the history of the branches. With it if the host cannot leave it out, or another process holds the
 * lock that only this kind of fetch needs.
 */
export async function fetchTips(
  mirror: Mirror,
  branches: readonly string[],
  signal: AbortSignal,
  more: More = {},
): Promise<void> {
  const { flags = [] } = more
  const wanted = { ...more, flags: ['--depth=1', ...flags], args: branches.map(refspec) }
  const result = await transfer(mirror, wanted, signal)
  if (isDone(result)) return
  if (!needsHistory.test(result.stderr)) throw remoteFailure(mirror, result, 'fetch')
  mirror.options.log.debug({ mirror: mirror.gitDir, reason: result.stderr }, 'the history cannot be left out')
  await fetchRefs(mirror, branches, signal, more)
}

/** Fetches the history that `fetchTips` left out, and that of the branches as they are now. Changes no ref. */
export async function fetchHistory(
  mirror: Mirror,
  branches: readonly string[],
  signal: AbortSignal,
  { flags = [], ...more }: More,
): Promise<void> {
  const args = branches.map((branch) => refPrefix + branch)
  const result = await transfer(mirror, { ...more, flags: ['--unshallow', ...flags], args }, signal)
  if (!isDone(result)) throw remoteFailure(mirror, result, 'fetch')
}

/**
 * Fetches objects by their ids, in one request. Returns false if the host does not give objects by their ids, or has one of
 * them no longer.
 */
export async function fetchObjects(
  mirror: Mirror,
  oids: readonly Oid[],
  signal: AbortSignal,
  { flags = [], ...more }: More,
): Promise<boolean> {
  const wanted = { ...more, flags: [...flags, '--stdin'], args: [], input: oids.join('\n') }
  const result = await transfer(mirror, wanted, signal)
  if (isDone(result)) return true
  if (givesNoObject.test(result.stderr)) return false
  throw remoteFailure(mirror, result, 'fetch')
}

/** The last: the words of git for the first version of the protocol, if it may not ask for any of the objects. */
const givesNoObject = /not our ref|unadvertised object|couldn't find remote ref|bad pack header/i
const needsHistory = /not support\b.{0,20}\bshallow|shallow\b.{0,40}\bnot (supported|allowed)|\bshallow\.lock\b/i

type Transfer = More & { readonly args: readonly string[]; readonly input?: string }

/** Throws `repository_too_large` as soon as the mirror is. */
async function transfer(mirror: Mirror, wanted: Transfer, signal: AbortSignal): Promise<GitResult> {
  const { flags = [], args, input = '', besideBytes = 0 } = wanted
  const limit = new AbortController()
  const { maxRepositoryBytes } = mirror.options
  const measure = async (): Promise<void> => {
    if ((await mirrorBytes(mirror)) + besideBytes > maxRepositoryBytes) limit.abort(tooLarge(maxRepositoryBytes))
  }
  const watch = setInterval(() => void measure(), measureMs)
  try {
    const all = [...fetchFlags, ...flags, '--', null, ...args]
    const result = await runRemote(mirror, { args: ['fetch', ...all], input }, AbortSignal.any([signal, limit.signal]))
    if (isDone(result)) await measure()
    limit.signal.throwIfAborted()
    return result
  } finally {
    clearInterval(watch)
  }
}

const fetchFlags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules']

function refspec(branch: string): string {
  return `+${refPrefix}${branch}:${refPrefix}${branch}`
}

export function remoteFailure(mirror: Mirror, result: GitResult, command: string): Failure {
  if (result.ended === 'half')
    return new Failure('repository_unreachable', 'Half of the response to a push is missing.')
  if (result.ended !== 'timeout') return failureOf(mirror, result, { args: [command] }, 'repository_unreachable')
  return new Failure('repository_unreachable', `git ${command} took longer than the limit.`)
}

function tooLarge(limit: number): Failure {
  const megabytes = Math.floor(limit / 1_000_000)
  return new Failure('repository_too_large', `The repository has more than ${megabytes} MB.`)
}

function parseListing(text: string): Listing {
  const lines = text.split('\n').map((line) => line.split('\t'))
  const symbolic = lines.find(([value = '', name]) => name === 'HEAD' && value.startsWith(`ref: ${refPrefix}`))?.[0]
  const head = symbolic?.slice(`ref: ${refPrefix}`.length) ?? null
  const branches = new Map<string, Oid>()
  for (const [value = '', name = ''] of lines) {
    if (name.startsWith(refPrefix)) branches.set(name.slice(refPrefix.length), value)
    else if (name === 'HEAD' && head !== null && !value.startsWith('ref:')) branches.set(head, value)
  }
  return { head, branches, tags: parseTags(lines) }
}

/** `refs/tags/v1^{}` follows `refs/tags/v1`, and names what an annotated tag leads to. */
function parseTags(lines: readonly (readonly string[])[]): Listing['tags'] {
  const targets = new Map<string, Oid>()
  for (const [value = '', ref = ''] of lines) {
    const name = ref.startsWith(tagPrefix) ? ref.slice(tagPrefix.length).replace(/\^\{\}$/, '') : ''
    if (tagName.test(name)) targets.set(name, value)
  }
  return new Map([...Map.groupBy(targets, ([, oid]) => oid)].map(([oid, named]) => [oid, named.map(([name]) => name)]))
}
