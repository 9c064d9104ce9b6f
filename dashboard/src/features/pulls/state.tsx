// The state of a pull request in words.

import { forgeNames } from '../../api/connections.ts'
import { pullStates } from '../../api/job/status.ts'
import type { PullState } from '../../api/pulls.ts'
import { Badge } from '../../ui/badge.tsx'

export const forges = { docent: 'Docent', ...forgeNames } as const

export function PullBadge({ state }: { readonly state: PullState }) {
  const { words, tone } = pullStates[state]
  return <Badge tone={tone}>{words}</Badge>
}
