// Who can sign in, and who is invited.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery } from '../../api/people/people.ts'
import { Button } from '../../ui/button.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { PeopleTable } from './people-table.tsx'

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
            Invite a person
          </Button>
        }
      />
      {people.isPending && <Skeleton className="h-40" />}
      {people.isError && <Refused error={people.error} retry={() => void people.refetch()} />}
      {people.isSuccess && <PeopleTable people={people.data} />}
      {people.isSuccess && <Invitations />}
      {inviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}
