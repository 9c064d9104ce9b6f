// The engines that the benchmarks compare: the embedded database in a folder, and a PostgreSQL server on loopback.

import { join } from 'node:path'
import { createLog } from '../src/lib/observability/log.ts'
import { openPostgres } from '../src/postgres/open.ts'
import type { Postgres } from '../src/postgres/types.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

export type Engine = {
  readonly name: string
  /** The number of processes that would share the engine; each gets its own connections. */
  readonly workers: readonly Postgres[]
  close(): Promise<void>
}

export async function openEmbeddedEngine(): Promise<Engine> {
  const folder = await temporaryFolder('bench')
  const postgres = await openPostgres({ kind: 'embedded', directory: join(folder, 'postgres') })
  const close = async () => {
    await postgres.close()
    await removeFolder(folder)
  }
  return { name: 'embedded, one worker', workers: [postgres], close }
}

export async function openServerEngine(): Promise<Engine> {
  const server = await startPostgresServer()
  const place = {
    kind: 'server',
    url: await server.createDatabase(),
    connections: 10,
    log: createLog('error'),
  } as const
  const workers = [await openPostgres(place), await openPostgres(place)]
  const close = async () => {
    await Promise.all(workers.map((one) => one.close()))
    await server.close()
  }
  return { name: 'PostgreSQL, two workers', workers, close }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
}

/** Runs `count` pieces of work, `width` at a time, and returns seconds. */
export async function timed(count: number, width: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await work(next - 1)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return (performance.now() - start) / 1_000
}
