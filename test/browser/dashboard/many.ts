// Pages with thousands of rows: the responses come from here instead of from the service, and the work of the browser is
// measured in time of its processor, beside a task that never changes.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { ListedJob } from '../../../src/jobs/listed.ts'
import { measureSlowness, readProcessor, traceTasks } from './tasks.ts'

type Many = {
  readonly jobs?: readonly ListedJob[]
  readonly events?: readonly object[]
  readonly files?: readonly object[]
}

/** Milliseconds of the browser's processor for one task, and for one step of a person, on a machine where nothing else runs. */
export const mostTaskMs = 200
/** Elements of a whole page, whatever it lists. */
export const mostElements = 2_500

const jobsOfPage = 50
const steps = 8
const mostMeasurements = 3

/** Returns the first of three measurements that is cheap, or the last one. */
export async function cheapest<Cost>(measuring: () => Promise<Cost>, isCheap: (cost: Cost) => boolean): Promise<Cost> {
  for (let left = mostMeasurements - 1; ; left -= 1) {
    const cost = await measuring()
    if (left === 0 || isCheap(cost)) return cost
  }
}

export function manyJobs(sample: ListedJob, count: number): readonly ListedJob[] {
  return Array.from({ length: count }, (_, index) => ({
    ...sample,
    id: `job_${String(index).padStart(20, '0')}`,
    prompt: `Job ${index} of many, with an instruction that is a little longer than the row`,
  }))
}

/** A message, a run, then turns with one call each. */
export function manyEvents(count: number): readonly object[] {
  const own = { createdAt: '2026-11-20T09:00:00.000Z', runId: 'run_0123456789abcdefghij' }
  const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 10 }
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1
    if (index === 0) return { ...own, id, type: 'message', messageId: 'msg', prompt: 'A long job' }
    if (index === 1)
      return {
        ...own,
        id,
        type: 'run_started',
        number: 1,
        model: 'a/b',
        budget: { turns: 9, tokens: 9, seconds: 9, costUsd: 1 },
      }
    const number = Math.floor(index / 2) + 1
    if (index % 2 === 1)
      return {
        ...own,
        id,
        type: 'turn',
        number,
        text: `Turn ${number}`,
        calls: [{ name: 'read_file', input: `{"path":"guides/page-${number}.md"}` }],
        usage,
        total: { ...usage, costUsd: 0, turns: number },
      }
    const results = [{ tool: 'read_file', isError: false, summary: 'A page of 120 lines' }]
    return { ...own, id, type: 'results', turn: number - 1, results, changed: { files: 0, bytes: 0 } }
  })
}

/** A change of files with 80 lines each, which are long and have many colours. */
export function manyFiles(count: number): readonly object[] {
  const line = '+{ "key": "value", "list": [1, 2, "three"], "text": "some words that go on for a while" },\n'
  return Array.from({ length: count }, (_, index) => ({
    path: `data/file-${index}.json`,
    previousPath: null,
    status: 'added',
    binary: false,
    additions: 80,
    deletions: 0,
    patch: `@@ -0,0 +1,80 @@\n${line.repeat(80)}`,
  }))
}

export async function serveMany(page: Page, { jobs, events, files }: Many): Promise<void> {
  if (files) await page.route('**/diff.json', (route) => route.fulfill({ json: { files } }))
  if (jobs)
    await page.route('**/jobs?limit=*', async (route) => {
      const first = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const end = first + jobsOfPage
      await route.fulfill({
        json: { jobs: jobs.slice(first, end), nextCursor: end < jobs.length ? String(end) : null },
      })
    })
  if (events)
    await page.route('**/events.json?*', async (route) => {
      const query = new URL(route.request().url()).searchParams
      const after = Number(query.get('lastEventId') ?? 0)
      const end = after + Number(query.get('limit'))
      await route.fulfill({
        json: { events: events.slice(after, end), nextCursor: end < events.length ? String(end) : null },
      })
    })
}

/**
 * Opens the page and scrolls down in steps of 3,000 pixels. `stepMs`: the processor time of the costliest step; `taskMs`:
 * of the costliest task after the page had loaded. Both are divided by how slow the machine is now.
 */
export async function measure(page: Page, address: string, list: string) {
  const slowness = await measureSlowness(page)
  const tasks = await traceTasks(page)
  const taskMs = await readProcessor(page)
  await page.goto(address)
  const items = page.getByRole('list', { name: list }).getByRole('listitem')
  await items.first().waitFor()
  const loadMs = await taskMs()
  let before = loadMs
  let stepMs = 0
  let elements = 0
  for (let step = 1; step <= steps; step += 1) {
    await page.evaluate(`new Promise((done) => {
      scrollTo(0, ${step * 3_000})
      requestAnimationFrame(() => requestAnimationFrame(done))
    })`)
    await items.first().waitFor()
    const now = await taskMs()
    stepMs = Math.max(stepMs, now - before)
    before = now
    elements = Math.max(elements, Number(await page.evaluate("document.querySelectorAll('*').length")))
  }
  return { loadMs, stepMs: stepMs / slowness, taskMs: (await tasks.costliest()) / slowness, elements }
}

type Cost = Awaited<ReturnType<typeof measure>>

export function isQuick({ stepMs, taskMs }: Cost): boolean {
  return Math.max(stepMs, taskMs) <= mostTaskMs
}

export function assertCheap({ stepMs, taskMs, elements }: Cost): void {
  assert.ok(elements <= mostElements, `${elements} elements`)
  assert.ok(stepMs <= mostTaskMs, `a step took ${stepMs} ms`)
  assert.ok(taskMs <= mostTaskMs, `a task took ${taskMs} ms`)
}
