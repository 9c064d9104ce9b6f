// Runs of new jobs that wait at given points until their process is killed.

import assert from 'node:assert/strict'
import type { RunPoint } from '../../src/jobs/run/context.ts'
import { type Arranged, assertDoneOnce } from './arrange.ts'
import type { Cluster } from './cluster.ts'
import type { CrashingService } from './crashing-service.ts'

export type Standing = {
  readonly id: string
  readonly page: string
  readonly point: RunPoint
  readonly process: CrashingService
  readonly extras: string[]
}

/** The process must have a slot for each run that waits. */
export const slots = 30

/** Between these points an answer was given and is not stored: it may be asked for again. */
const unstored: readonly RunPoint[] = ['turn opened', 'model responded']

/** A new job whose run waits at its n-th point. The page is the last word of its prompt. */
export async function standAt(arranged: Arranged, cluster: Cluster, n: number, prompt: string): Promise<Standing> {
  await cluster.arm(n)
  const { id } = await arranged.connectTo(cluster.addresses).create(prompt)
  return { id, page: prompt.slice(prompt.indexOf(' ') + 1), extras: [], ...(await cluster.stopped()) }
}

/** A follow-up that is acknowledged while the run waits. */
export async function followUp(
  arranged: Arranged,
  cluster: Cluster,
  standing: Pick<Standing, 'id' | 'page' | 'extras'>,
): Promise<void> {
  const extra = `${standing.page}-more`
  await arranged.connectTo(cluster.addresses).message(standing.id, `extra ${extra}`)
  standing.extras.push(extra)
}

/** Kills one process after the other; `check` is called for each of its runs that stood, when there is another. */
export async function killAll(
  cluster: Cluster,
  standing: readonly Standing[],
  check: (one: Standing) => Promise<void>,
): Promise<void> {
  const byProcess = Map.groupBy(standing, ({ process }) => process)
  assert.ok(byProcess.size > 0)
  for (const [victim, ones] of byProcess) {
    await cluster.replace({ victim })
    for (const one of ones) await check(one)
  }
}

/** After the kill, the job is as if there had been no kill. */
export function assertUnharmed(arranged: Arranged, cluster: Cluster, { id, page, point, extras }: Standing) {
  const unstoredAnswers = unstored.includes(point) ? 1 : 0
  return assertDoneOnce(arranged, arranged.connectTo(cluster.addresses), id, { page, extras, unstoredAnswers })
}
