// The state of a pull request in words.

import { forgeNames } from '../../api/connections.ts'
import { pullStates } from '../../api/job/status.ts'
import type { PullNow } from '../../api/pulls.ts'
import { Badge } from '../../ui/badge.tsx'

export const forges = { docent: 'Docent', ...forgeNames } as const

export function PullBadge({ pull }: { readonly pull: Pick<PullNow, 'state' | 'draft'> }) {
  const { words, tone } = pullStates[pull.state]
  return <Badge tone={tone}>{pull.draft && pull.state === 'open' ? 'Draft' : words}</Badge>
}
