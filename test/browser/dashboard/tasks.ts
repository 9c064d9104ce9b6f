// The tasks of a page in Chromium's trace, in time of the processor: a busy machine stretches the wall time of a task more than
// this. How much it stretches this is measured with a task that never changes.

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

/** Milliseconds of the reference task on a machine where nothing else runs. */
const usualReferenceMs = 130

/** Builds, styles and lays out a table, as a page with many rows does. */
const reference = `(() => {
  const row = (n) => '<tr><td>' + n + '</td><td><code>{ "key": <b>' + n + '</b> }</code></td></tr>'
  document.body.innerHTML = '<table>' + Array.from({ length: 1_000 }, (_, n) => row(n)).join('') + '</table>'
  return document.body.offsetHeight
})()`

/** How many times longer the processor takes for the reference task than usual, at least 1. A page of its own runs it. */
export async function measureSlowness(beside: Page): Promise<number> {
  const page = await beside.context().newPage()
  const processorMs = await readProcessor(page)
  const before = await processorMs()
  await page.evaluate(reference)
  const referenceMs = (await processorMs()) - before
  await page.close()
  return Math.max(1, referenceMs / usualReferenceMs)
}

/** Returns a function that returns the milliseconds that the tasks of the page's main thread have taken of the processor. */
export async function readProcessor(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}
