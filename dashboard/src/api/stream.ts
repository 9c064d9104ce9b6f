// The events of a job as they happen. The stream is closed while the page is hidden: on HTTP/1.1 a browser has six
// connections to a host, and a stream keeps one. What was missed comes when it opens again.

import { useEffect, useReducer } from 'react'
import { prefix } from '../base.ts'
import { queries } from './queries.ts'
import type { JobEvent } from './jobs.ts'

export type Live = {
  /** Kept events, in order. */
  readonly events: readonly JobEvent[]
  /** The text of the turn that is being written. */
  readonly text: string
  readonly state: 'connecting' | 'open' | 'ended'
}

type Change =
  | { readonly kind: 'event'; readonly event: JobEvent }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'state'; readonly state: Live['state'] }

const empty: Live = { events: [], text: '', state: 'connecting' }
const types = ['message', 'run_started', 'phase', 'turn', 'results', 'run_retried', 'run_ended', 'job_ended'] as const

export function reduce(live: Live, change: Change): Live {
  if (change.kind === 'state') return { ...live, state: change.state }
  if (change.kind === 'text') return { ...live, text: live.text + change.text }
  const { event } = change
  if ((live.events.at(-1)?.id ?? 0) >= event.id) return live
  // A whole turn replaces the pieces of its text.
  return { ...live, events: [...live.events, event], text: event.type === 'turn' ? '' : live.text }
}

/** Follows a job from its first event; `key` starts anew, after a follow-up. */
export function useEvents(projectId: string, jobId: string, key: string): Live {
  const [live, change] = useReducer(reduce, empty)
  useEffect(() => {
    let source: EventSource | undefined
    let last = 0
    const close = () => {
      source?.close()
      source = undefined
    }
    const open = () => {
      if (source !== undefined || document.hidden) return
      const path = `v2/agent/${projectId}/job/${jobId}/events?lastEventId=${last}`
      const opened = new EventSource(prefix + path)
      source = opened
      opened.addEventListener('open', () => change({ kind: 'state', state: 'open' }))
      opened.addEventListener('text', ({ data }) => {
        const { text } = JSON.parse(String(data)) as { readonly text?: string }
        change({ kind: 'text', text: text ?? '' })
      })
      for (const type of types) {
        opened.addEventListener(type, ({ data }) => {
          const event = JSON.parse(String(data)) as JobEvent
          last = event.id
          change({ kind: 'event', event })
          if (type !== 'job_ended') return
          close()
          change({ kind: 'state', state: 'ended' })
          void queries.invalidateQueries({ queryKey: ['job', projectId, jobId] })
        })
      }
      // A browser tells no status: the session may have ended, or the job has no more events.
      opened.addEventListener('error', () => {
        if (opened.readyState !== EventSource.CLOSED) return
        close()
        change({ kind: 'state', state: 'ended' })
        void queries.invalidateQueries({ queryKey: ['session'] })
      })
    }
    const onVisibility = () => (document.hidden ? close() : open())
    document.addEventListener('visibilitychange', onVisibility)
    open()
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [projectId, jobId, key])
  return live
}
