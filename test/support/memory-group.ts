// A control group with a limit of memory, in which the system ends a process that takes more. Needs Linux, root, and the controller
// of memory, of either version of control groups.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type MemoryGroup = {
  /** A command that runs another one in the group: its name and first arguments. */
  readonly inGroup: readonly [string, ...string[]]
  /** How many processes the system ended because of the limit. */
  readonly killed: () => number
  /** Call it when all processes have ended. */
  readonly remove: () => void
}

/** Undefined: this process may not create such a group. */
export function createMemoryGroup(bytes: number): MemoryGroup | undefined {
  const root = '/sys/fs/cgroup'
  const isFirst = existsSync(join(root, 'memory'))
  const folder = join(root, isFirst ? 'memory' : '', `docent-test-${process.pid}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), String(bytes))
  } catch {
    return undefined
  }
  const events = join(folder, isFirst ? 'memory.oom_control' : 'memory.events')
  return {
    inGroup: ['sh', '-c', `echo $$ > ${join(folder, 'cgroup.procs')} && exec "$0" "$@"`],
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1]),
    remove: () => rmdirSync(folder),
  }
}
