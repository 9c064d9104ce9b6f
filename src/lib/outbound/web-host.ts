// Decides whether the service may connect to the host of a URL: public https, or a host that the operator listed as
// private. Checks the text only; `resolve.ts` checks the addresses of the host at every connection.

import { isIP } from 'node:net'

export type WebHost = {
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
  /** True when the operator listed the host, which may then be private, an IP literal, or plain http. */
  readonly isListed: boolean
}

/** `url` is an `https:` or `http:` URL. `privateHosts` has `host` for the usual port, or `host:port`. */
export function webHost(url: URL, privateHosts: readonly string[]): WebHost {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const names = [`${url.hostname}:${port}`, `${hostname}:${port}`, ...(url.port === '' ? [url.hostname, hostname] : [])]
  const isListed = privateHosts.some((host) => names.includes(host.toLowerCase()))
  return { hostname, port, isListed }
}

/** Returns the reason why the service may not connect to the host; undefined if it may. */
export function refusedHost(url: URL, { hostname, isListed }: WebHost): string | undefined {
  if (isListed) return undefined
  if (url.protocol !== 'https:') return 'plain http is only for hosts in DOCENT_PRIVATE_REPOSITORY_HOSTS'
  if (isIP(hostname) !== 0) return 'an IP address is only for hosts in DOCENT_PRIVATE_REPOSITORY_HOSTS'
  if (url.port !== '') return 'a port is only for hosts in DOCENT_PRIVATE_REPOSITORY_HOSTS'
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(hostname)) return 'the host is no full public name'
  if (/\.(localhost|local|internal|lan|arpa)$/.test(hostname)) return 'the host is no public name'
  return undefined
}
