// Short messages about what has just been done, in a corner of the page. They wait while the pointer or the focus is on
// them. Written without Base UI: its toasts are 20 kB of the first load.

import { useSyncExternalStore } from 'react'

type Toast = { readonly id: number; readonly title: string }

const shownMs = 6_000
const most = 3

const store = { toasts: [] as readonly Toast[], nextId: 1, listeners: new Set<() => void>() }
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Reports what was done, the same message once at a time. A failure is shown where the person tried, not here. */
export function say(title: string): void {
  for (const { id } of store.toasts.filter((shown) => shown.title === title)) close(id)
  const toast = { id: store.nextId, title }
  store.nextId += 1
  show([...store.toasts, toast].slice(-most))
  startTimer(toast.id)
}

function show(toasts: readonly Toast[]): void {
  store.toasts = toasts
  for (const listener of store.listeners) listener()
}

function close(id: number): void {
  stopTimer(id)
  show(store.toasts.filter((toast) => toast.id !== id))
}

function startTimer(id: number): void {
  timers.set(
    id,
    setTimeout(() => close(id), shownMs),
  )
}

function stopTimer(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

function subscribe(listener: () => void): () => void {
  store.listeners.add(listener)
  return () => store.listeners.delete(listener)
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => store.toasts)
  const pause = () => toasts.forEach(({ id }) => stopTimer(id))
  const resume = () => toasts.forEach(({ id }) => startTimer(id))
  return (
    <div
      className="fixed right-4 bottom-4 z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2"
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <div role="status" aria-label="Messages" className="contents">
        {toasts.map(({ id, title }) => (
          <div
            key={id}
            className="flex items-center justify-between gap-3 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-lg"
          >
            <span className="min-w-0">{title}</span>
            <button
              type="button"
              aria-label="Close"
              className="size-6 shrink-0 cursor-pointer rounded text-muted hover:bg-sunken hover:text-text"
              onClick={() => close(id)}
            >
              ×
            </button>
          </div>
        ))}
      </div>
    </div>
  )
}
