// Shown when an admin is one no longer: the invitations that were withdrawn, and the keys that they made, which still work.

import { revokeKey } from '../../api/keys.ts'
import type { Left, Person } from '../../api/people/people.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { say } from '../../ui/overlay/toast.tsx'

type Props = { readonly person: Person; readonly left: Left; readonly onClose: () => void }

export function WhatIsLeft({ person, left, onClose }: Props) {
  const { keys, withdrawnInvitations } = left
  const withdrawn = withdrawnInvitations.length > 0 && (
    <p className="wrap-anywhere">Withdrawn invitations: {withdrawnInvitations.join(', ')}</p>
  )
  if (keys.length === 0)
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={`The invitations of ${person.name} are withdrawn`}
        footer={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        {withdrawn}
      </Dialog>
    )
  return (
    <Confirm
      title={`Revoke the keys of ${person.name}?`}
      verb={keys.length === 1 ? 'Revoke the key' : `Revoke ${keys.length} keys`}
      content={
        <>
          <ul className="mb-3 list-disc pl-5">
            {keys.map(({ id, name, hint }) => (
              <li key={id} className="wrap-anywhere">
                {name} <span className="font-mono text-sm text-muted">{hint}</span>
              </li>
            ))}
          </ul>
          {withdrawn}
        </>
      }
      onClose={onClose}
      onConfirm={async () => {
        for (const { id } of keys) await revokeKey(id)
        say(keys.length === 1 ? 'The key is revoked' : `${keys.length} keys are revoked`)
        await queries.invalidateQueries({ queryKey: ['keys'] })
      }}
    >
      {person.name} made these keys, and they still work. A program that uses one of them stops working; keys that are
      still needed can be revoked one by one on the page of API keys.
    </Confirm>
  )
}
