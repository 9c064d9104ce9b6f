// The mark of an admin whose role came from a key with limits, as an earlier release allowed.

import type { Person } from '../../api/people/people.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

type Props = { readonly person: Person; readonly isMe: boolean; readonly onKeep: () => void }

export function Origin({ person: { name, limitedKey }, isMe, onKeep }: Props) {
  if (limitedKey === null) return null
  return (
    <div className="mt-2 max-w-64 min-w-44 text-sm text-muted">
      <Badge tone="warn">Check this</Badge>
      <p className="my-1">
        The role came from the key <span className="font-medium wrap-anywhere">{limitedKey.name}</span>, which has
        limits. {isMe ? 'Another admin has to confirm it.' : 'Remove the person, or confirm the role.'}
      </p>
      {!isMe && (
        <Button size="small" aria-label={`Confirm the role of ${name}`} onClick={onKeep}>
          Confirm
        </Button>
      )}
    </div>
  )
}
