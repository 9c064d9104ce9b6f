// Reads the end of a log that a host has as plain text. Hosts keep logs elsewhere and redirect to an address that is signed:
// each address is judged and resolved as any other, and another origin never gets the credential.

import { exchange, type ExchangeLimits } from '../../lib/outbound/exchange.ts'
import { type Resolve, resolveHost, systemResolve } from '../../lib/outbound/resolve.ts'
import { refusedHost, webHost } from '../../lib/outbound/web-host.ts'

export type LogRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The headers have it, and it is removed from the text. */
  readonly secret: string
  readonly privateHosts: readonly string[]
  readonly resolve?: Resolve | undefined
}

const limits: ExchangeLimits = { deadlineMs: 30_000, maxBytes: 64_000_000, lastBytes: 65_536 }
const mostRedirects = 3

/** Undefined: there is no such log. Throws only the reason of `signal`. */
export async function readEnd(request: LogRequest, signal: AbortSignal): Promise<string | undefined> {
  let { url, headers } = request
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const host = webHost(url, request.privateHosts)
    if (refusedHost(url, host) !== undefined) return undefined
    const found = await resolveHost(host, request.resolve ?? systemResolve, signal)
    if (found.kind === 'refused') return undefined
    const { addresses } = found
    const done = await exchange(
      { url, method: 'GET', headers, body: undefined, secret: request.secret, addresses, limits },
      signal,
    )
    if (done.kind === 'lost') return undefined
    if (![301, 302, 303, 307, 308].includes(done.status))
      return done.status === 200 ? done.body.toString('utf8') : undefined
    const target = URL.parse(done.headers.location ?? '', url.href)
    if (!target || !/^https?:$/.test(target.protocol)) return undefined
    if (target.origin !== url.origin) headers = withoutProof(headers)
    url = target
  }
  return undefined
}

function withoutProof(headers: LogRequest['headers']): LogRequest['headers'] {
  const { 'user-agent': agent = '', 'accept-encoding': encoding = '' } = headers
  return { accept: '*/*', 'accept-encoding': encoding, 'user-agent': agent }
}
