// The events of a job as the lines of one conversation: messages, runs, turns with their calls, and what a person should
// notice. Pure. Events that say nothing to a reader make no line.

import type { JobEvent } from '../../api/jobs.ts'

export type Call = {
  /** Its place among the calls of the turn. */
  readonly index: number
  readonly name: string
  /** The subject of the call: a path, a pattern, a query. */
  readonly subject: string
  /** The start of its JSON. */
  readonly input: string
  readonly result: { readonly isError: boolean; readonly summary: string } | undefined
}

/** The words of the agent when it had finished. */
export type Finished = { readonly title: string; readonly text: string; readonly reply: string }

type Line =
  | { readonly kind: 'message'; readonly prompt: string }
  | { readonly kind: 'run'; readonly number: number; readonly model: string }
  | {
      readonly kind: 'turn'
      readonly runId: string
      readonly number: number
      readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
      readonly text: string
      readonly calls: readonly Call[]
      readonly finished: Finished | undefined
    }
  | { readonly kind: 'warning'; readonly title: string; readonly text: string }
  | { readonly kind: 'failure'; readonly code: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'pull'; readonly href: string }

export type Item = Line & { readonly id: number; readonly at: string }

type Turn = Extract<JobEvent, { readonly type: 'turn' }>
type Results = Extract<JobEvent, { readonly type: 'results' }>

export function toItems(events: readonly JobEvent[]): readonly Item[] {
  const results = new Map(
    events.flatMap((event) => (event.type === 'results' ? [[`${event.runId}:${event.turn}`, event] as const] : [])),
  )
  return events.flatMap((event): readonly Item[] => {
    const line = toLine(event, results)
    return line === undefined ? [] : [{ ...line, id: event.id, at: event.createdAt }]
  })
}

function toLine(event: JobEvent, results: ReadonlyMap<string, Results>): Line | undefined {
  switch (event.type) {
    case 'message':
      return { kind: 'message', prompt: event.prompt }
    case 'run_started':
      return { kind: 'run', number: event.number, model: event.model }
    case 'turn':
      return toTurn(event, results.get(`${event.runId}:${event.number}`))
    case 'context':
      return { kind: 'note', text: contextWords[event.change] }
    case 'run_retried':
      return { kind: 'warning', title: toWait(event), text: event.message }
    case 'warning':
      return { kind: 'warning', title: 'Please note', text: event.message }
    case 'run_ended':
      return event.error === null ? undefined : { kind: 'failure', code: event.error.code, text: event.error.message }
    case 'job_ended':
      return toEnd(event)
    case 'archived':
      return { kind: 'note', text: 'The job was archived' }
    case 'phase':
    case 'progress':
    case 'results':
    default:
      return undefined
  }
}

const awayHosts: Readonly<Record<string, string>> = {
  model_unavailable: 'the model',
  forge_unavailable: 'the forge',
}

function toWait({ code, waitSeconds }: Extract<JobEvent, { readonly type: 'run_retried' }>): string {
  const time = waitSeconds < 120 ? `${Math.ceil(waitSeconds)} s` : `${Math.round(waitSeconds / 60)} min`
  const host = awayHosts[code]
  return host === undefined ? `Trying again in ${time}` : `Waiting for ${host}: next try in ${time}`
}

const contextWords = {
  summarized: 'This run began with a summary of the earlier runs',
  shortened: 'Older parts of the conversation were shortened, to make room',
} as const

function toEnd({ status, outcome, prLink }: Extract<JobEvent, { readonly type: 'job_ended' }>): Line | undefined {
  if (status === 'failed') return undefined
  if (outcome === 'needs_input') return { kind: 'note', text: 'The run ended with a question' }
  if (prLink !== null) return { kind: 'pull', href: prLink }
  return { kind: 'note', text: outcome === 'no_changes' ? 'The job ended without changes' : 'The job ended' }
}

function toTurn({ runId, number, text, calls, usage }: Turn, results: Results | undefined): Line {
  const all = calls.map(({ name, input }, index) => {
    const subject = subjectOf(input)
    return { index, name, input, subject, result: toResult(results?.results[index], subject) }
  })
  const last = calls.find(({ name }) => name === 'finish')
  const finished = last === undefined ? undefined : finishOf(last.input)
  const shown = finished ? all.filter(({ name }) => name !== 'finish') : all
  // Every turn belongs to a run.
  return { kind: 'turn', runId: runId ?? '', number, text, calls: shown, finished, usage }
}

/** Tools put remarks in brackets, and name what they worked on, which the line does already. */
function toResult(result: Results['results'][number] | undefined, subject: string): Call['result'] {
  if (result === undefined) return undefined
  const { isError, summary } = result
  const own = subject === '' ? summary : summary.replace(` of ${subject}`, '').replace(`changed ${subject}: `, '')
  return { isError, summary: own.replace(/^\[([^[\]]*)\]$/, '$1') }
}

/** How far a check is that the job waits for; undefined while it does something else. */
export function progressOf(events: readonly JobEvent[]): string | undefined {
  const last = events.at(-1)
  if (last?.type !== 'progress') return undefined
  const { done, total } = last
  return `Checking the documentation: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} files`
}

/** Looks for the field that names the subject. The input may be cut, so it is not parsed. */
export function subjectOf(input: string): string {
  for (const name of ['path', 'from', 'pattern', 'query', 'frontmatter', 'title', 'glob']) {
    const found = fieldOf(input, name)
    if (found !== undefined && found !== '') return found
  }
  return ''
}

function finishOf(input: string): Finished | undefined {
  const title = fieldOf(input, 'title') ?? ''
  const text = fieldOf(input, 'noChange') ?? fieldOf(input, 'question') ?? fieldOf(input, 'summary') ?? ''
  return title === '' && text === '' ? undefined : { title, text, reply: fieldOf(input, 'reply') ?? '' }
}

/** A text of the input, also when the input is cut in the middle of it. */
function fieldOf(input: string, name: string): string | undefined {
  const [, text] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\u[0-9a-fA-F]{4}|\\\\[^u])*)`).exec(input) ?? []
  return text === undefined ? undefined : parseText(text)
}

function parseText(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
