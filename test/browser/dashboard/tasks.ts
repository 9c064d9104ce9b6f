// The tasks of a page in Chromium's trace, in time of the processor: a busy machine stretches the wall time of a task, and
// not this.

import { once } from 'node:events'
import type { Page } from 'playwright-core'

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds since the machine started. */
  readonly ts: number
  /** Microseconds that the thread was running. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export type Tasks = {
  /** Ends the trace. Returns the milliseconds of the costliest task of a page's main thread after the page had loaded. */
  readonly costliest: () => Promise<number>
}

/** The page has to be loaded after this: the trace says when it was. */
export async function traceTasks(page: Page): Promise<Tasks> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as readonly TraceEvent[])))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata']
  await session.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' })
  const costliest = async () => {
    const complete = once(session as unknown as NodeJS.EventEmitter, 'Tracing.tracingComplete')
    await session.send('Tracing.end')
    await complete
    await session.detach()
    return findCostliest(events)
  }
  return { costliest }
}

function findCostliest(events: readonly TraceEvent[]): number {
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const threads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  )
  const loaded = events.findLast(({ name }) => name === 'MarkLoad')?.ts
  const tasks = events.filter((one) => one.name === 'RunTask' && one.ph === 'X' && threads.has(thread(one)))
  if (loaded === undefined || tasks.length === 0) throw new Error('The trace has no load, or no task.')
  return Math.max(...tasks.filter(({ ts }) => ts >= loaded).map(({ tdur = Number.NaN }) => tdur)) / 1_000
}
