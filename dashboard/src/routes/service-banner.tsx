// Says that the service does not respond, asks every few seconds, and brings the page up to date when it is back.

import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../api/queries.ts'
import { useReachable } from '../api/service.ts'
import { readSession } from '../api/people/session.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/overlay/toast.tsx'

const pauseMs = 3_000

export function ServiceBanner() {
  const isReachable = useReachable()
  const router = useRouter()
  const wasReachable = useRef(true)
  useEffect(() => {
    if (isReachable && !wasReachable.current) {
      say('The service responds again')
      void queries.invalidateQueries()
      void router.invalidate()
    }
    wasReachable.current = isReachable
  }, [isReachable, router])
  return isReachable ? null : <Waiting />
}

/** Every call of the API reports whether it was answered, this one too. */
const look = () => readSession().catch(() => undefined)

function Waiting() {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => void look().then(() => setAsked((count) => count + 1)), pauseMs)
    return () => clearTimeout(timer)
  }, [asked])
  return (
    <div
      role="alert"
      className="sticky top-0 z-30 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warn-soft px-4 py-2 text-sm text-warn"
    >
      <span>
        <strong className="font-semibold">Docent does not respond.</strong> This page tries again every few seconds and
        keeps your input.
      </span>
      <Button size="small" onClick={() => void look()}>
        Try now
      </Button>
    </div>
  )
}
