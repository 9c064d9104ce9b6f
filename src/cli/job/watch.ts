// Shows a job as it runs: its events line by line and, on a terminal, its current state. Reads the stream of events, or
// polls if nothing can stream. Ends with the job or when `stop` is aborted, which does not affect the job.

import type { JobResponse } from '../../jobs/response.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Api } from '../api/api.ts'
import { followEvents } from './event-reader.ts'
import { startOfLast } from './kept-events.ts'
import type { Output } from '../output.ts'
import { createScreen, type Screen } from '../screen.ts'
import { lastWords, type Line, linesOf, nothingSeen, see, type Seen, seeText, statusOf } from './watch-lines.ts'
import { startOf } from '../../lib/plain-text.ts'

export type Watching = {
  readonly api: Api
  /** The path of the job in the API. */
  readonly path: string
  readonly output: Output
  readonly stop: AbortSignal
  readonly clock: Clock
  /** Printed before every line. */
  readonly indent?: string
}

const pollMs = 500
const repaintMs = 1_000

/** Returns the job as it was when it ended or when `stop` was aborted. */
export async function watchJob(watching: Watching, first: JobResponse): Promise<JobResponse> {
  const screen = createScreen(watching.output, watching.indent)
  try {
    const way = await showEvents(watching, screen)
    if (way === 'poll') return await poll(watching, screen, first)
  } finally {
    screen.clear()
  }
  return await read(watching)
}

async function showEvents(watching: Watching, screen: Screen): Promise<'over' | 'poll'> {
  const { api, path, stop, clock, output } = watching
  const began = clock.now().getTime()
  const state: { seen: Seen } = { seen: nothingSeen }
  const paint = () => screen.live(liveLines(state.seen, clock.now().getTime() - began))
  const done = new AbortController()
  const painting = output.terminal ? repaint(clock, paint, done.signal) : undefined
  try {
    const after = await startOfLast(api, path).catch(() => 0)
    for await (const update of followEvents(watching, after, stop)) {
      if (update.kind === 'poll') return 'poll'
      if (update.kind === 'text') state.seen = seeText(state.seen, update.text)
      else {
        const isPhase = update.event.type === 'phase' && output.terminal !== undefined
        const lines = isPhase ? [] : linesOf(update.event, state.seen)
        state.seen = see(state.seen, update.event)
        if (lines.length > 0) screen.print(lines)
      }
      paint()
    }
    return 'over'
  } finally {
    done.abort()
    await painting
  }
}

function liveLines(seen: Seen, ms: number): readonly Line[] {
  const words = lastWords(seen)
  const seconds = `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`
  const running = [...new Set(seen.calls.map((call) => call.name))].join(', ')
  return [
    ...(words === '' ? [] : [{ style: 'dim', text: words, isTail: true } as const]),
    { style: 'gray', text: `${seconds}  ${statusOf(seen)}${running === '' ? '' : `, runs ${startOf(running, 60)}`}` },
  ]
}

async function repaint(clock: Clock, paint: () => void, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    await clock.sleep(repaintMs, done)
    if (!done.aborted) paint()
  }
}

async function poll(watching: Watching, screen: Screen, first: JobResponse): Promise<JobResponse> {
  let job = first
  let shown = ''
  while (job.status === 'active' && !watching.stop.aborted) {
    const tokens = job.usage.inputTokens + job.usage.outputTokens
    const line = `… ${job.phase ?? 'active'}, ${job.usage.turns} turns, ${tokens} tokens`
    if (line !== shown) screen.print([{ style: 'gray', text: line }])
    shown = line
    await watching.clock.sleep(pollMs, watching.stop)
    job = await read(watching)
  }
  return job
}

async function read({ api, path }: Watching): Promise<JobResponse> {
  return JSON.parse((await api.send('GET', path)).body) as JobResponse
}
