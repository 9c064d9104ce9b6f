// Invitations that nobody accepted yet. An expired one is renewed with a new link.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invitation, invitationsQuery, withdraw } from '../../api/people/people.ts'
import { queries } from '../../api/queries.ts'
import { roleNames } from '../../api/people/roles.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Refused } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { Invite } from './invite.tsx'

export function Invitations() {
  const invitations = useQuery(invitationsQuery)
  const [renewed, setRenewed] = useState<Invitation>()
  const { data = [] } = invitations
  if (data.length === 0 && !invitations.isError) return null
  return (
    <section className="mt-8" aria-labelledby="invitations">
      <h2 id="invitations" className="mb-3 text-lg font-semibold">
        Invitations
      </h2>
      {invitations.isError && <Refused error={invitations.error} retry={() => void invitations.refetch()} />}
      {data.length > 0 && (
        <Table
          name="Invitations"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { head: 'E-mail', cell: ({ email }) => <div className="min-w-44 break-all">{email}</div> },
            { head: 'Role', cell: ({ role }) => roleNames[role] },
            { head: 'Invited by', cell: ({ invitedBy }) => invitedBy },
            { head: 'Link', cell: ({ expiresAt }) => <Validity expiresAt={expiresAt} /> },
            {
              head: '',
              align: 'right',
              cell: (invitation) => <Actions invitation={invitation} onRenew={() => setRenewed(invitation)} />,
            },
          ]}
        />
      )}
      {renewed && <Invite again={renewed} onClose={() => setRenewed(undefined)} />}
    </section>
  )
}

function Validity({ expiresAt }: { readonly expiresAt: string }) {
  const isOver = new Date(expiresAt) <= new Date()
  return (
    <>
      {isOver ? <Badge tone="warn">Expired</Badge> : 'Expires'} <RelativeTime at={expiresAt} />
    </>
  )
}

type ActionsProps = { readonly invitation: Invitation; readonly onRenew: () => void }

function Actions({ invitation: { id, email }, onRenew }: ActionsProps) {
  const take = useMutation({
    mutationFn: () => withdraw(id),
    onSuccess: () => say(`The invitation of ${email} is withdrawn`),
    // It may have been accepted in the meantime.
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  return (
    <span className="inline-flex gap-2">
      <Button size="small" aria-label={`New link for ${email}`} onClick={onRenew}>
        New link
      </Button>
      <Button
        size="small"
        busy={take.isPending}
        aria-label={`Withdraw the invitation of ${email}`}
        onClick={() => take.mutate()}
      >
        Withdraw
      </Button>
    </span>
  )
}
