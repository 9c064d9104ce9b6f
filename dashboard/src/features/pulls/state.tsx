// The state of a pull request in words.

import type { PullState } from '../../api/pulls.ts'
import { Badge } from '../../ui/badge.tsx'

const states = {
  open: { words: 'Open', tone: 'accent' },
  merged: { words: 'Merged', tone: 'good' },
  closed: { words: 'Closed', tone: 'neutral' },
} as const

export const forges = { docent: 'Docent', github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea' } as const

export function PullBadge({ state }: { readonly state: PullState }) {
  const { words, tone } = states[state]
  return <Badge tone={tone}>{words}</Badge>
}
