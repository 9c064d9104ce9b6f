// The statistics of a project for people who are signed in; admins can share them.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { may, sessionQuery } from '../../api/people/session.ts'
import { loadPart } from '../../load-part.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { FirstPageViews } from './empty.tsx'
import { UnknownProxies } from './proxies.tsx'
import { Statistics } from './statistics.tsx'

const Shares = lazy(async () => ({ default: (await loadPart(() => import('./sharing/shares.tsx'))).Shares }))

export function VisitorsPage() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/visitors' })
  const { data: session } = useQuery(sessionQuery)
  const [isSharing, setSharing] = useState(false)
  const isAdmin = may(session, 'admin')
  return (
    <>
      {may(session, 'editor') && <UnknownProxies />}
      <Statistics
        key={projectId}
        reader={{ projectId }}
        title={() => 'Visitors'}
        actions={
          <>
            {may(session, 'editor') && (
              <Link to="/projects/$projectId/visitors/import" params={{ projectId }} className={buttonStyle()}>
                Import logs
              </Link>
            )}
            {isAdmin && <Button onClick={() => setSharing(true)}>Share</Button>}
          </>
        }
        empty={<FirstPageViews projectId={projectId} isAdmin={isAdmin} />}
        refused={() => undefined}
      />
      {isSharing && (
        <Suspense>
          <Shares projectId={projectId} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  )
}
