// A moment relative to now, with the exact one on hover and for machines. One timer serves all of them.

import { useSyncExternalStore } from 'react'

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
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

/** `just now`, `5 minutes ago`, `in 3 days`. */
export function formatRelative(at: Date, from: Date): string {
  const seconds = (at.getTime() - from.getTime()) / 1_000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  // `in 7 days` for a link that was made a moment ago for a week.
  const count = seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size)
  return unit === 'second' ? 'just now' : relative.format(count, unit)
}
