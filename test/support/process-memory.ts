// The memory of another process. Linux only: it reads /proc.

import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** `RssAnon`: that it has for itself. `VmRSS`: with the files that it maps. `VmHWM`: the most of that so far. */
export type MemoryField = 'RssAnon' | 'VmRSS' | 'VmHWM'

/** In MiB. NaN if the process has ended. */
export async function megabytesOf({ pid }: ChildProcess, field: MemoryField): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
}
