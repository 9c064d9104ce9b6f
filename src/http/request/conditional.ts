// Conditional requests (RFC 9110, section 13): entity tags made of a version, never of a hash of the body.

import { createHash } from 'node:crypto'

/**
 * A strong tag for one version of a resource. `salt` covers everything else that the body depends on: the release of the
 * service and its public address.
 */
export function entityTag(version: number | string, salt: string): string {
  return `"${version}-${createHash('sha256').update(salt).digest('base64url').slice(0, 8)}"`
}

/** Whether If-None-Match names the tag, by weak comparison. Understands lists and `*`; skips malformed parts. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(/"[\u0021\u0023-\u007e\u0080-\u00ff]*"/g)].some(([opaque]) => opaque === tag)
}
