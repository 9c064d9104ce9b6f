// Who can sign in, and who is invited.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changeRole,
  type Invitation,
  invitationsQuery,
  peopleQuery,
  type Person,
  removePerson,
  withdraw,
} from '../../api/people.ts'
import { queries } from '../../api/queries.ts'
import { type Role, sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/toast.tsx'
import { Invite } from './invite.tsx'
import { roleOptions } from './roles.ts'

export function People() {
  const people = useQuery(peopleQuery)
  const [inviting, setInviting] = useState(false)
  return (
    <>
      <PageHead
        title="People"
        about="Everybody who can sign in to this service. A role holds for all projects."
        actions={
          <Button kind="primary" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      />
      {people.isPending && <Skeleton className="h-40" />}
      {people.isError && <Refused error={people.error} retry={() => void people.refetch()} />}
      {people.isSuccess && <PeopleTable people={people.data} />}
      <Invitations />
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}

function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [leaving, setLeaving] = useState<Person>()
  const [problem, setProblem] = useState<unknown>()
  const change = async (person: Person, role: Role) => {
    setProblem(undefined)
    await changeRole(person.id, role).then(() => say(`${person.name} is ${role} now`), setProblem)
    await queries.invalidateQueries({ queryKey: ['people'] })
  }
  return (
    <>
      {problem !== undefined && (
        <div className="mb-3">
          <Refused error={problem} />
        </div>
      )}
      <Table
        name="People"
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            cell: (person) => (
              <>
                {person.name} {person.id === session.person?.id && <span className="text-muted">(you)</span>}
                <div className="text-sm text-muted">{person.email}</div>
              </>
            ),
          },
          {
            head: 'Role',
            cell: (person) => (
              <Select
                name={`Role of ${person.name}`}
                value={person.role}
                options={roleOptions}
                onChange={(role) => void change(person, role)}
                className="w-32"
              />
            ),
          },
          {
            head: 'Last seen',
            cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <RelativeTime at={lastSeenAt} />),
          },
          {
            head: '',
            align: 'right',
            cell: (person) => (
              <Button size="small" aria-label={`Remove ${person.name}`} onClick={() => setLeaving(person)}>
                Remove
              </Button>
            ),
          },
        ]}
      />
      {leaving && (
        <Confirm
          title={`Remove ${leaving.name}?`}
          verb="Remove"
          onClose={() => setLeaving(undefined)}
          onConfirm={async () => {
            await removePerson(leaving.id)
            await queries.invalidateQueries({ queryKey: ['people'] })
            say(`${leaving.name} is removed`)
          }}
        >
          All sessions of {leaving.email} end at once. API keys that this person created keep working.
        </Confirm>
      )}
    </>
  )
}

function Invitations() {
  const { data = [] } = useQuery(invitationsQuery)
  if (data.length === 0) return null
  const take = async ({ id, email }: Invitation) => {
    await withdraw(id)
    await queries.invalidateQueries({ queryKey: ['invitations'] })
    say(`The invitation of ${email} is withdrawn`)
  }
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-lg font-semibold">Invitations</h2>
      <Table
        name="Invitations"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { head: 'E-mail', cell: ({ email }) => email },
          { head: 'Role', cell: ({ role }) => role },
          { head: 'Invited by', cell: ({ invitedBy }) => invitedBy },
          { head: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
          {
            head: '',
            align: 'right',
            cell: (invitation) => (
              <Button
                size="small"
                aria-label={`Withdraw the invitation of ${invitation.email}`}
                onClick={() => void take(invitation)}
              >
                Withdraw
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}
