// The CPU time of a start of Node, user and system, as the process itself reports it when it exits: a busy machine makes it
// wait, and that is not counted.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))
export const bare = ['-e', '0'] as const

const reporting = `data:text/javascript,import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeFileSync(process.env.CPU_REPORT, String(user + system)) })`

type Milliseconds = { readonly least: number; readonly median: number }

export type StartMeter = {
  /** Milliseconds of `runs` starts of Node with these arguments, each with the compile cache of `cacheOf`. */
  readonly measure: (args: readonly string[], runs: number, cacheOf: (run: number) => string) => Promise<Milliseconds>
  readonly close: () => void
}

/** Commands that need a service are refused by a server that has nothing. */
export async function openStartMeter(folder: string): Promise<StartMeter> {
  const server = createServer((_request, response) => response.writeHead(404).end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const environment = {
    PATH: process.env['PATH'],
    CPU_REPORT: join(folder, 'cpu'),
    DOCENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DOCENT_API_KEY: 'docent_x',
    DOCENT_PROJECT: 'prj_00000000000000000000',
  }
  const measureOne = async (args: readonly string[], cache: string) => {
    const env = { ...environment, NODE_COMPILE_CACHE: cache }
    const { promise, resolve } = Promise.withResolvers<void>()
    execFile(process.execPath, ['--import', reporting, ...args], { env }, () => resolve())
    await promise
    return Number(await readFile(environment.CPU_REPORT, 'utf8')) / 1_000
  }
  const measure: StartMeter['measure'] = async (args, runs, cacheOf) => {
    const all: number[] = []
    for (let run = 0; run < runs; run += 1) all.push(await measureOne(args, cacheOf(run)))
    all.sort((a, b) => a - b)
    return { least: all[0] ?? Number.NaN, median: all[runs >> 1] ?? Number.NaN }
  }
  return { measure, close: () => void server.close() }
}
