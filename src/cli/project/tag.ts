// The tag of a site with the address under which readers reach the service, as far as the settings here say it.

import { siteTag } from '../../analytics/collect/site-tag.ts'
import { configuredAddress, parseConfig } from '../../config/config.ts'
import type { Environment } from '../../config/environment.ts'
import { isLoopback } from '../doctor/outside.ts'

type Tag = {
  readonly tag: string
  /** If readers cannot reach the address. */
  readonly warning: string | undefined
}

export function toTag(environment: Environment, siteId: string): Tag {
  const { href, hostname } = publicAddress(environment)
  const isLocal = isLoopback(hostname) || hostname === '0.0.0.0' || hostname === '[::]'
  return {
    tag: siteTag(href, siteId),
    warning: isLocal
      ? `Readers cannot reach ${href}. Set DOCENT_PUBLIC_URL to the https address under which they reach the service, restart it, and write that address into the tag.`
      : undefined,
  }
}

function publicAddress(environment: Environment): URL {
  const { DOCENT_URL: url, DOCENT_PUBLIC_URL: ofReaders } = environment
  if (url && !ofReaders) return new URL(url)
  return new URL(configuredAddress(parseConfig(environment)))
}
