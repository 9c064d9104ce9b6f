// Turns the events of a job into lines of text. Pure. Models, tools and people write the texts, so they are made plain:
// no control character reaches a terminal.

import type { EventResponse } from '../../jobs/events/events.ts'
import type { LiveText } from '../../jobs/events/live-text.ts'
import { terminalText, shorten } from '../../lib/plain-text.ts'
import type { Style } from '../output.ts'

/** `isTail`: a line that is too long is cut at its beginning instead of its end. */
export type Line = { readonly style: Style; readonly text: string; readonly isTail?: boolean }

/** The state of the job according to the events so far. */
export type Seen = {
  readonly phase: string
  /** How far a check is that the run waits for. */
  readonly progress: { readonly done: number; readonly total: number } | undefined
  readonly run: number
  readonly turn: number
  readonly budget: { readonly turns: number } | undefined
  readonly total: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number | null }
  readonly changed: { readonly files: number; readonly bytes: number }
  readonly calls: readonly { readonly name: string; readonly input: string }[]
  /** The text that the model is writing now. */
  readonly text: string
}

export const nothingSeen: Seen = {
  phase: 'queued',
  progress: undefined,
  run: 0,
  turn: 0,
  budget: undefined,
  total: { inputTokens: 0, outputTokens: 0, costUsd: null },
  changed: { files: 0, bytes: 0 },
  calls: [],
  text: '',
}

const shownLines = 6
const shownCharacters = 200

export function see(before: Seen, event: EventResponse): Seen {
  if (event.type === 'progress') return { ...before, progress: event }
  const seen = { ...before, progress: undefined }
  if (event.type === 'run_started') {
    return { ...seen, run: event.number, budget: event.budget, turn: 0, changed: nothingSeen.changed, text: '' }
  }
  if (event.type === 'phase') return { ...seen, phase: event.phase, text: '' }
  if (event.type === 'turn') {
    return { ...seen, turn: event.number, total: event.total, calls: event.calls, text: '' }
  }
  return event.type === 'results' ? { ...seen, changed: event.changed, calls: [] } : seen
}

/** Pieces may be missing. A piece at offset 0 starts the text again. */
export function seeText(seen: Seen, { offset, text, turn }: LiveText): Seen {
  const shown = offset === 0 ? text : seen.text + text
  return { ...seen, turn, text: shown.slice(-4 * shownCharacters) }
}

const contextWords = {
  summarized: 'the run begins with a summary of the earlier runs',
  shortened: 'older parts of the conversation were shortened, to make room',
} as const

/** Returns the permanent lines for an event. `seen` is the state before the event. */
export function linesOf(event: EventResponse, seen: Seen): readonly Line[] {
  if (event.type === 'message') return [{ style: 'cyan', text: `› ${firstLine(event.prompt)}` }]
  if (event.type === 'run_started') return [{ style: 'bold', text: `run ${event.number} with ${short(event.model)}` }]
  if (event.type === 'phase') return [{ style: 'gray', text: `… ${event.phase}` }]
  if (event.type === 'turn') return spoken(event.text).map((text) => ({ style: 'dim', text }))
  if (event.type === 'results') return describe(event.results, seen.calls)
  if (event.type === 'context') return [{ style: 'gray', text: `… ${contextWords[event.change]}` }]
  if (event.type === 'run_retried') {
    const words = `${event.code}: ${firstLine(event.message)}`
    return [{ style: 'yellow', text: `! ${words} (waiting, again in ${Math.ceil(event.waitSeconds)} s)` }]
  }
  // Whole, because it ends with what to do.
  if (event.type === 'warning') return [{ style: 'yellow', text: `! ${event.message}` }]
  return []
}

/** `editing, run 1, turn 3 of 200, 4,320 tokens, 2 files changed (1.2 kB)` */
export function statusOf({ phase, progress, run, turn, budget, total, changed }: Seen): string {
  const tokens = total.inputTokens + total.outputTokens
  return [
    phase,
    ...(progress ? [`${count(progress.done)} of ${count(progress.total)} files checked`] : []),
    ...(run > 1 ? [`run ${run}`] : []),
    `turn ${turn}${budget ? ` of ${budget.turns}` : ''}`,
    `${count(tokens)} tokens`,
    ...(total.costUsd === null || total.costUsd === 0 ? [] : [`$${total.costUsd.toFixed(4)}`]),
    ...(changed.files === 0 ? [] : [describeChange(changed)]),
  ].join(', ')
}

function count(amount: number): string {
  return amount.toLocaleString('en-US')
}

function describeChange({ files, bytes }: Seen['changed']): string {
  return `${files} ${files === 1 ? 'file' : 'files'} changed (${(bytes / 1_000).toFixed(1)} kB)`
}

/** Returns the last line of the text that the model is writing. */
export function lastWords({ text }: Seen): string {
  return terminalText(text.trimEnd().split('\n').at(-1) ?? '').replaceAll('\t', ' ')
}

type Result = { readonly tool: string; readonly isError: boolean; readonly summary: string }

const shownTargets = 4

/** Returns a line for every failed call, and one for consecutive successful calls of the same tool. */
function describe(results: readonly Result[], calls: Seen['calls']): readonly Line[] {
  const groups: { readonly result: Result; readonly targets: string[] }[] = []
  for (const [index, result] of results.entries()) {
    const last = groups.at(-1)
    const target = targetOf(calls[index]?.input)
    if (last && !result.isError && !last.result.isError && last.result.tool === result.tool) last.targets.push(target)
    else groups.push({ result, targets: [target] })
  }
  return groups.map(({ result, targets }) => {
    const shown = targets.filter((target) => target !== '').slice(0, shownTargets)
    const more = targets.length > shownTargets ? ` and ${targets.length - shownTargets} more` : ''
    const words = `${short(result.tool)} ${shown.join(', ')}${more}`.trim()
    if (result.isError) return { style: 'red', text: `✗ ${words}: ${short(result.summary)}` }
    return { style: 'green', text: `✓ ${words}` }
  })
}

/** Returns the target of a call, read from the beginning of its input. */
function targetOf(input: string | undefined): string {
  const found = /"(?:path|from|query|pattern|frontmatter|glob|title|noChange)":"((?:[^"\\]|\\.)*)"/.exec(
    input ?? '',
  )?.[1]
  return found === undefined ? '' : short(String(JSON.parse(`"${found}"`)))
}

function spoken(text: string): readonly string[] {
  const lines = terminalText(text.trim())
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, shownLines).map(short)
  return lines.length > shownLines ? [...shown, `… ${lines.length - shownLines} more lines`] : shown
}

function firstLine(text: string): string {
  const [line = '', ...rest] = terminalText(text.trim()).split('\n')
  return short(line) + (rest.length > 0 ? ' …' : '')
}

function short(text: string): string {
  return shorten(terminalText(text).replaceAll(/[\t\n]/g, ' '), shownCharacters)
}
