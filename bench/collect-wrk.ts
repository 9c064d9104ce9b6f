// A native client for `collect.ts`: `wrk` in a process of its own, with one thread. It sends more than the client in Node.js,
// which limits a bare server.

import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('collect.lua', import.meta.url))

export function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined
}

/** Requests that were answered, and those a second. Throws if one was refused. */
export async function runWrk(url: string, open: number, seconds: number): Promise<{ answered: number; rate: number }> {
  const options = ['-t1', `-c${open}`, `-d${seconds}s`, '-s', script, url]
  const env = { ...process.env, RUN: randomUUID() }
  const { stdout } = await promisify(execFile)('wrk', options, { env })
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const numberOf = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1])
  return { answered: numberOf(/(\d+) requests in/), rate: numberOf(/Requests\/sec:\s+([\d.]+)/) }
}
