// A moment relative to now, with the exact one on hover and for machines. One timer serves all of them.

import { useSyncExternalStore } from 'react'
import { formatRelative } from './relative.ts'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, 15_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function RelativeTime({ at }: { readonly at: string }) {
  const current = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className="whitespace-nowrap">
      {formatRelative(new Date(at), new Date(Math.max(current, Date.now())))}
    </time>
  )
}

/** `Nov 22, 2026, 11:03:12 AM`, in the zone of the browser. */
export function formatExact(at: string): string {
  return exact.format(new Date(at))
}
