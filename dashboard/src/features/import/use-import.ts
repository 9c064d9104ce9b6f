// Runs an import: starts the thread that reads the logs, and asks the service in its place. Leaving the page ends it; the
// same logs again continue where it stopped.

import { useEffect, useReducer, useRef } from 'react'
import { finishImport, openImport, sendPageViews } from '../../api/imports.ts'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import type { Call, News, Order, Progress, ReadLog } from './protocol.ts'

export type Wanted = Omit<Extract<Order, { kind: 'start' }>, 'kind' | 'projectId'>

export type State = {
  readonly phase: 'idle' | 'running' | 'stopping' | 'done' | 'stopped' | 'failed'
  /** The imports that ended. */
  readonly ended: number
  readonly formats: readonly string[]
  readonly progress: Progress | undefined
  readonly notes: readonly string[]
  readonly logs: readonly ReadLog[]
  /** About the addresses in the logs. */
  readonly hints: readonly string[]
  /** Why it failed. */
  readonly problem: string | undefined
}

const empty: State = {
  phase: 'idle',
  ended: 0,
  formats: [],
  progress: undefined,
  notes: [],
  logs: [],
  hints: [],
  problem: undefined,
}
const mostNotes = 5

type Step = Exclude<News, { kind: 'call' }> | { readonly kind: 'start' } | { readonly kind: 'stop' }

function reduce(state: State, step: Step): State {
  switch (step.kind) {
    case 'formats':
      return { ...state, formats: step.names }
    case 'start':
      return { ...empty, formats: state.formats, ended: state.ended, phase: 'running' }
    case 'stop':
      return { ...state, phase: 'stopping' }
    case 'note':
      return { ...state, notes: [...state.notes.filter((note) => note !== step.text), step.text].slice(-mostNotes) }
    case 'progress':
      return { ...state, progress: step.progress }
    case 'read':
      return { ...state, logs: [...state.logs, step.log], progress: undefined }
    case 'ended':
      return { ...state, phase: step.outcome, hints: step.hints, ended: state.ended + 1, progress: undefined }
    case 'failed':
      return { ...state, phase: 'failed', ended: state.ended + 1, problem: step.message, progress: undefined }
    default:
      return step satisfies never
  }
}

export function useImport(projectId: string) {
  const [state, step] = useReducer(reduce, empty)
  const worker = useRef<Worker | undefined>(undefined)
  const isRunning = state.phase === 'running' || state.phase === 'stopping'
  useEffect(() => {
    // An import that ended needs a new thread: a stopped one stays stopped.
    const started = new Worker(new URL('./worker/import.worker.ts', import.meta.url), { type: 'module' })
    started.addEventListener('message', ({ data }: MessageEvent<News>) => {
      if (data.kind === 'call') void respond(started, projectId, data.id, data.call)
      else step(data)
    })
    started.addEventListener('error', () =>
      step({ kind: 'failed', message: 'The thread that reads logs did not start.' }),
    )
    worker.current = started
    return () => started.terminate()
  }, [projectId, state.ended])
  useEffect(() => {
    if (state.ended > 0)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes('statistics') })
  }, [state.ended])
  useEffect(() => warnBeforeLeaving(isRunning), [isRunning])
  return {
    state,
    isRunning,
    start: (wanted: Wanted) => {
      step({ kind: 'start' })
      order(worker.current, { kind: 'start', projectId, ...wanted })
    },
    stop: () => {
      step({ kind: 'stop' })
      order(worker.current, { kind: 'stop' })
    },
  }
}

function order(worker: Worker | undefined, message: Order): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker?.postMessage(message)
}

async function respond(worker: Worker, projectId: string, id: number, call: Call): Promise<void> {
  try {
    order(worker, { kind: 'response', id, result: await send(projectId, call) })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, retryAfter } = error
    order(worker, { kind: 'refusal', id, refusal: { code, message, retryAfter } })
  }
}

function send(projectId: string, call: Call): Promise<unknown> {
  switch (call.operation) {
    case 'begin':
      return openImport(projectId, call.log)
    case 'send':
      return sendPageViews(projectId, call)
    case 'finish':
      return finishImport(projectId, call)
    default:
      return call satisfies never
  }
}

function warnBeforeLeaving(isRunning: boolean): (() => void) | undefined {
  if (!isRunning) return undefined
  const warn = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', warn)
  return () => removeEventListener('beforeunload', warn)
}
