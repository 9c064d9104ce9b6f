// Which repositories an installation of a GitHub App opens, in words.

import type { ForgeAppCheck } from '../../../api/connections.ts'

type Installation = ForgeAppCheck['installations'][number]

export function scopeOf({ repositories, isSuspended }: Pick<Installation, 'repositories' | 'isSuspended'>): string {
  if (isSuspended) return 'Suspended on GitHub'
  return repositories === 'all' ? 'All repositories' : 'Selected repositories'
}
