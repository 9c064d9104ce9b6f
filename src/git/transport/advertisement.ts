// Requests the refs of a repository over HTTP, without git: the request with which every fetch and every push begins. The
// response shows whether the credential may read or push, and whether the repository has moved.

import { Failure } from '../../lib/failure.ts'
import { type Exchanged, exchange } from '../../lib/outbound/exchange.ts'
import { systemResolve } from '../../lib/outbound/resolve.ts'
import { limitOf } from '../../lib/outbound/retry-after.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import type { Mirror } from '../cache/mirror.ts'
import { loginFor, withCredential } from './ask-credential.ts'
import type { GitCredential } from '../types.ts'
import { checkedAddresses } from './connect.ts'
import { type ScopedCredential, redactCredential } from './credential.ts'

export type Service = 'git-upload-pack' | 'git-receive-pack'

export type Advertisement =
  | { readonly kind: 'offered' }
  /** `words`: what the host says about it, safe to show; empty when it says nothing. */
  | { readonly kind: 'refused'; readonly status: number; readonly words: string; readonly hasCredential: boolean }

/** The first line is enough; the list of refs may have megabytes. */
const limits = { deadlineMs: 30_000, maxBytes: 8192, cuts: true }

/**
 * Throws `repository_unreachable` when the host does not respond or is not a git server, `repository_moved`, and
 * `forge_rate_limited`.
 */
export async function askRefs(mirror: Mirror, service: Service, signal: AbortSignal): Promise<Advertisement> {
  const attempt = async (given: GitCredential | undefined): Promise<Advertisement> => {
    const credential = loginFor(mirror, given)
    return judge(mirror, service, await request(mirror, service, credential, signal), credential)
  }
  const isRefused = (found: Advertisement): boolean => found.kind === 'refused' && found.status === 401
  return await withCredential(mirror, attempt, isRefused, signal)
}

export function noServer(): Failure {
  const message = 'No git server answers at the address: it sent something else, such as a sign-in page.'
  return new Failure('repository_unreachable', message)
}

/** Explains a redirect of the host. */
export async function whereMoved(mirror: Mirror, signal: AbortSignal): Promise<Failure> {
  try {
    await askRefs(mirror, 'git-upload-pack', signal)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  return new Failure('repository_unreachable', 'The host redirected to another address, and then did not.')
}

async function request(
  mirror: Mirror,
  service: Service,
  credential: ScopedCredential | undefined,
  signal: AbortSignal,
): Promise<Exchanged> {
  const { address, options } = mirror
  const addresses = await checkedAddresses(address, options.resolve ?? systemResolve, signal)
  const login = credential && Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
  const headers = {
    // Hosts send a web page to programs that are not git.
    'user-agent': 'git/2.39 (docent)',
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(login === undefined ? {} : { authorization: `Basic ${login}` }),
  }
  const url = refsUrl(mirror, service)
  const secret = credential?.password ?? ''
  const sent = { url, method: 'GET', headers, body: undefined, secret, addresses, limits }
  const found = await exchange(sent, signal)
  if (found.kind === 'whole' && address.protocol === 'https') {
    options.dateReport?.()?.({ url: url.href, date: found.headers.date ?? null })
  }
  return found
}

function refsUrl({ address }: Mirror, service: Service): URL {
  return new URL(`${address.href.replace(/\/$/, '')}/info/refs?service=${service}`)
}

function judge(
  mirror: Mirror,
  service: Service,
  found: Exchanged,
  credential: ScopedCredential | undefined,
): Advertisement {
  if (found.kind === 'lost') throw new Failure('repository_unreachable', `The host did not answer: ${found.reason}.`)
  const { status, headers, body } = found
  if (status === 200 && isOffer(service, headers['content-type'], body)) return { kind: 'offered' }
  if ([301, 302, 303, 307, 308].includes(status)) throw moved(refsUrl(mirror, service), headers.location)
  if (status < 400) throw noServer()
  const words = wordsOf(found, credential)
  const retryAfter = limitOf({ status, headers, words: body.toString('utf8') }, Date.now())
  if (retryAfter !== undefined) {
    throw new Failure('forge_rate_limited', `The host asks to wait. ${words}`.trim(), { retryAfter })
  }
  if (status >= 500)
    throw new Failure('repository_unreachable', `The host failed with status ${status}. ${words}`.trim())
  return { kind: 'refused', status, words, hasCredential: credential !== undefined }
}

function isOffer(service: Service, type: string | undefined, body: Buffer): boolean {
  const line = `# service=${service}\n`
  const begin = (line.length + 4).toString(16).padStart(4, '0') + line
  return type === `application/x-${service}-advertisement` && body.toString('latin1', 0, begin.length) === begin
}

/** A host that moved a repository redirects to the same request at its new address; a sign-in page is another path. */
function moved(from: URL, location: string | undefined): Failure {
  const target = location === undefined ? null : URL.parse(location, from.href)
  const path = target === null ? undefined : /^(\/.+)\/info\/refs$/.exec(target.pathname)?.[1]
  if (target === null || path === undefined) return noServer()
  if (target.origin === from.origin) {
    return new Failure('repository_moved', `The repository has moved to ${target.origin}${path}.`)
  }
  return new Failure('repository_moved', `The repository has moved to another address, at ${target.host}.`)
}

function wordsOf(found: Extract<Exchanged, { kind: 'whole' }>, credential: ScopedCredential | undefined): string {
  if (!/^text\/plain\b/.test(found.headers['content-type'] ?? '')) return ''
  const text = found.body.toString('utf8')
  return sanitise(redactCredential(text, credential))
}
