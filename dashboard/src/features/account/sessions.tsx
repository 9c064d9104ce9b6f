// Where the person is signed in, and how to end that.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../api/queries.ts'
import { endSession, type OwnSession, sessionsQuery } from '../../api/people/session.ts'
import { useSignOut } from '../../api/people/use-sign-out.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { nameBrowser } from './user-agent.ts'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const [leaving, setLeaving] = useState(false)
  const leave = useSignOut()
  return (
    <section aria-labelledby="sessions">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id="sessions" className="text-lg font-semibold">
          Where you are signed in
        </h2>
        <Button size="small" onClick={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      </div>
      {sessions.isPending && <Skeleton className="h-24" />}
      {sessions.isError && <Refused error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isSuccess && <SessionTable sessions={sessions.data} />}
      {leaving && (
        <Confirm
          title="Sign out everywhere?"
          verb="Sign out everywhere"
          onClose={() => setLeaving(false)}
          onConfirm={() => leave(true)}
        >
          Every browser in which you are signed in has to sign in again, this one too.
        </Confirm>
      )}
    </section>
  )
}

function SessionTable({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  return (
    <Table
      name="Where you are signed in"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Browser',
          cell: ({ userAgent, current }) => (
            <span className="inline-flex flex-wrap gap-2" title={userAgent}>
              {nameBrowser(userAgent)} {current && <Badge tone="good">This browser</Badge>}
            </span>
          ),
        },
        { head: 'Last seen', cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
        { head: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        { head: 'Ends', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
        { head: '', align: 'right', cell: (session) => (session.current ? null : <End session={session} />) },
      ]}
    />
  )
}

function End({ session: { id, userAgent } }: { readonly session: OwnSession }) {
  const end = useMutation({
    mutationFn: () => endSession(id),
    onSuccess: () => say('That browser is signed out'),
    // It may have ended by itself.
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Button
      size="small"
      busy={end.isPending}
      aria-label={`Sign out ${nameBrowser(userAgent)}`}
      onClick={() => end.mutate()}
    >
      Sign out
    </Button>
  )
}
