// Checks the base address of a provider that a caller of the API sets. The operator's own addresses, in the environment, are
// not checked. If a name resolves to another host later, https refuses it because the certificate does not match.

import { type Resolve, resolveHost, systemResolve } from '../lib/outbound/resolve.ts'
import { refusedHost, webHost } from '../lib/outbound/web-host.ts'

type Rules = {
  /** Hosts that may be private or plain http. */
  readonly privateHosts: readonly string[]
  /** Default: the operating system. */
  readonly resolve?: Resolve
}

export type AddressProblem = {
  /** Words that continue "`baseUrl` …". */
  readonly words: string
  /** True if the name could not be resolved at the moment. */
  readonly isTemporary: boolean
}

const deadlineMs = 10_000

/** Explains why the service may not connect to the address; null when it may. */
export async function addressProblem(
  address: string,
  { privateHosts, resolve = systemResolve }: Rules,
): Promise<AddressProblem | null> {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return refused('must be an http or https address without credentials, query or fragment')
  }
  const host = webHost(url, privateHosts)
  const reason = refusedHost(url, host)
  if (reason !== undefined) return refused(`is not allowed: ${reason}`)
  const signal = AbortSignal.timeout(deadlineMs)
  const resolved = await resolveHost(host, resolve, signal).catch((cause: unknown) => {
    return { kind: 'refused' as const, reason: `The name ${host.hostname} could not be resolved in time.`, cause }
  })
  if (resolved.kind === 'addresses') return null
  const words = `is not allowed: ${resolved.reason.replace(/\.$/, '')}`
  return { words, isTemporary: 'cause' in resolved }
}

function refused(words: string): AddressProblem {
  return { words, isTemporary: false }
}
