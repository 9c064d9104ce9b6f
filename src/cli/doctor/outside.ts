// Checks the public address of the service.

import type { Config } from '../../config/config.ts'
import { errnoOf } from '../../lib/errno.ts'
import { type Finding, ok, warning } from './finding.ts'

const addressMs = 5_000

export async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const about = 'public address'
  const { publicUrl, host } = config
  if (publicUrl === undefined) {
    if (isLoopback(host)) return [ok(about, `not set: links lead to ${host}, which only this machine can reach`)]
    const todo = 'Set DOCENT_PUBLIC_URL to the address that clients use.'
    return [warning(about, `not set, and the service listens on ${host}: links lead there`, todo)]
  }
  const { protocol, hostname } = new URL(publicUrl)
  const findings = [await reach(publicUrl)]
  if (protocol === 'http:' && !isLoopback(hostname)) {
    findings.push(
      warning(
        about,
        `${publicUrl} is not https: keys are sent unencrypted`,
        'Put a TLS proxy in front of the service.',
      ),
    )
  }
  if (protocol === 'https:' && 'hops' in config.trustedProxies && config.trustedProxies.hops === 0) {
    const todo = 'Set DOCENT_TRUSTED_PROXIES to 1, or to the addresses of the proxies.'
    findings.push(
      warning(
        about,
        'the proxy in front of the service is not trusted: the log shows its address instead of those of clients',
        todo,
      ),
    )
  }
  return findings
}

async function reach(publicUrl: string): Promise<Finding> {
  const about = 'public address'
  try {
    const response = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(addressMs), redirect: 'manual' })
    const isOurs = response.ok && response.headers.get('X-Request-Id')?.startsWith('req_') === true
    if (isOurs) return ok(about, `${publicUrl} leads to the service`)
    const todo = 'Check that the proxy forwards requests to the service.'
    return warning(about, `${publicUrl}/healthz responds with ${response.status}, and not from Docent`, todo)
  } catch (error) {
    return sayUnreached(publicUrl, error)
  }
}

/** Something that presents a certificate responds: it is not away. */
export function sayUnreached(publicUrl: string, error: unknown): Finding {
  const about = 'public address'
  const code = errnoOf(error instanceof Error ? error.cause : undefined)
  if (code !== undefined && /CERT|SIGNATURE/.test(code)) {
    const todo = 'Let the proxy send the whole chain, or name the issuer of the certificate in NODE_EXTRA_CA_CERTS.'
    return warning(about, `${publicUrl} responds with a certificate that this machine does not trust (${code})`, todo)
  }
  const todo = 'Start the service and the proxy, and check the host name. This machine may be unable to reach it.'
  return warning(about, `nothing responds at ${publicUrl}`, todo)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.startsWith('127.')
}
