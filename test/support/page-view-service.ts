// A service in a process of its own, and the page views that tests send to it: a process opens one embedded store.

import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import type { Client } from './service.ts'

export type Running = { readonly address: string; readonly stop: () => Promise<void> }

/** `child` is `docent serve --json`. Resolves once it listens. It is stopped after the test at the latest. */
export async function listening(t: TestContext, child: ChildProcessWithoutNullStreams): Promise<Running> {
  child.stderr.resume()
  const ended = once(child, 'close').then(() => assert.fail('the service ended'))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended.catch(() => undefined)
  }
  t.after(stop)
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  return { address: (JSON.parse(line) as { address: string }).address, stop }
}

/** Fifty page views of as many visitors, `day` days ago. */
export async function sendPageViews(client: Client, day: number): Promise<void> {
  const views = Array.from({ length: 50 }, (_, n) => ({
    id: `${day}-${n}`,
    timestamp: Date.now() - day * 86_400_000,
    path: `/page-${n % 5}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    address: `192.0.2.${n}`,
  }))
  await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, views)
}

type Counts = { readonly totals: { readonly total: number } }

export async function readCounts(client: Client) {
  const of = (name: string) => client.call<Counts>('GET', `/v1/analytics/${client.projectId}/${name}`)
  return { views: (await of('views')).totals.total, visitors: (await of('visitors')).totals.total }
}
