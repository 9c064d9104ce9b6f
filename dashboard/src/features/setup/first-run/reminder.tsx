// On the start page, for admins, until everything is done or it is closed: how far the first run is.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { overviewQuery } from '../../../api/job/overview.ts'
import { may, sessionQuery } from '../../../api/people/session.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/notice.tsx'
import { useProgress } from './progress.ts'
import { firstOpen, stepNames, steps } from './steps.ts'

const closed = 'docent-get-started'

export function Reminder() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [isClosed, setIsClosed] = useState(() => localStorage.getItem(closed) !== null)
  const overview = useQuery(overviewQuery)
  const close = useCallback(() => {
    localStorage.setItem(closed, 'yes')
    setIsClosed(true)
  }, [])
  if (isClosed || !may(session, 'admin')) return null
  // The content of the page comes first.
  return overview.isPending ? <Skeleton className="mb-6 h-14" /> : <Open onClose={close} />
}

function Open({ onClose }: { readonly onClose: () => void }) {
  const { progress, error } = useProgress(undefined)
  const next = progress && firstOpen(progress.done)
  const isComplete = progress !== undefined && next === undefined
  useEffect(() => {
    if (isComplete) onClose()
  }, [isComplete, onClose])
  if (progress === undefined && error === null) return <Skeleton className="mb-6 h-14" />
  if (progress === undefined || next === undefined) return null
  const count = steps.filter((step) => progress.done[step]).length
  return (
    <section
      aria-label="Get started"
      className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-4 py-3"
    >
      <p>
        <span className="font-medium">
          Get started: {count} of {steps.length} steps are done.
        </span>{' '}
        <span className="text-muted">Next: {stepNames[next]}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to="/get-started/$step" params={{ step: next }} className={buttonStyle({ size: 'small' })}>
          Continue
        </Link>
        <Button size="small" kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  )
}
