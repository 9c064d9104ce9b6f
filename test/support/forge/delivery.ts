// Deliveries as the forges send them: the bodies that matter, and the header that proves where they come from.

import { createHmac } from 'node:crypto'
import type { HookedForge } from '../../../src/forge/deliveries/address.ts'

export type Event = {
  readonly kind: 'push' | 'comment'
  /** Such as `acme/docs`. */
  readonly path: string
}

export function bodyOf(forge: HookedForge, { kind, path }: Event): string {
  const place = forge === 'gitlab' ? { project: { path_with_namespace: path } } : { repository: { full_name: path } }
  const push = { ref: 'refs/heads/main', before: '0'.repeat(40), after: '1'.repeat(40) }
  const comment =
    forge === 'gitlab' ? { object_kind: 'note' } : { action: 'created', comment: { id: 1, body: 'Hello' } }
  return JSON.stringify({ ...(kind === 'push' ? push : comment), ...place })
}

export function proofOf(forge: HookedForge, secret: string, body: string): Readonly<Record<string, string>> {
  if (forge === 'gitlab') return { 'X-Gitlab-Token': secret }
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  return forge === 'github' ? { 'X-Hub-Signature-256': `sha256=${digest}` } : { 'X-Gitea-Signature': digest }
}
