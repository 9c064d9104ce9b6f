// Checks the machine: Node.js, git, memory, the data directory with its permissions, and the disk.

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { leastMemory, memoryLimit, sharesOf } from '../../lib/memory/budget.ts'
import { isNearlyFull, readDiskSpace } from '../../lib/disk-space.ts'
import { isPatched } from '../../git/transport/version.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const oldestNode = [24, 12]

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = oldestNode
  const isOld = major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
  if (!isOld) return ok('Node.js', version)
  return failed('Node.js', `${version} is too old`, `Install Node.js ${oldestNode.join('.')} or newer.`)
}

export function checkGit(version: string): Finding {
  if (isPatched(version)) return ok('git', version)
  const todo =
    'Check that the distribution patched CVE-2025-48384 and related faults, or install 2.43.7, 2.45.4, 2.47.3, 2.50.1 or newer.'
  return warning('git', `${version} has known security faults unless the distribution patched it`, todo)
}

/** Checks that the data directory exists, is writable, and is closed to other users. */
export async function checkDirectory(dataDir: string): Promise<Finding> {
  const about = 'data directory'
  const found = await stat(dataDir).catch(() => undefined)
  if (!found) {
    const parent = await canWrite(dirname(dataDir))
    if (parent) return ok(about, `${dataDir} does not exist yet; the first start creates it`)
    return failed(
      about,
      `${dataDir} does not exist and cannot be created`,
      'Create it for the user that runs the service.',
    )
  }
  if (!found.isDirectory()) return failed(about, `${dataDir} is not a folder`, 'Set DOCENT_DATA_DIR to a folder.')
  if (!(await canWrite(dataDir))) {
    return failed(
      about,
      `${dataDir} cannot be written`,
      'Make the user that runs the service and this command its owner.',
    )
  }
  if ((found.mode & 0o077) === 0) return ok(about, dataDir)
  const mode = (found.mode & 0o777).toString(8)
  return warning(about, `other users can enter ${dataDir} (mode ${mode})`, `Run chmod 700 ${dataDir}.`)
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const disk = await readDiskSpace(dataDir).catch(() => readDiskSpace(dirname(dataDir)).catch(() => undefined))
  if (!disk) return warning('disk', 'the free space is unknown', 'Check it with df.')
  const { freeBytes, leastBytes } = disk
  const says = `${(freeBytes / 1e9).toFixed(1)} GB free`
  const todo =
    'Free some space: the database cannot write to a full disk, and a backup needs as much space as the database.'
  if (isNearlyFull(disk)) return failed('disk', `${says}: page views are refused`, todo)
  return freeBytes < 2 * leastBytes ? warning('disk', says, todo) : ok('disk', says)
}

/** Says how the service divides its memory. `setting`: DOCENT_MEMORY in bytes, or undefined if it is not set. */
export function checkMemory(setting: number | undefined, limit = memoryLimit()): Finding {
  const { total, counters, filtered, ids, queries, waiting, young } = sharesOf(setting, limit)
  const others = total - counters - filtered - ids - queries - waiting - young
  const parts = [
    `counters of visitors ${toMiB(counters)}`,
    `with filters ${toMiB(filtered)}`,
    `ids of page views ${toMiB(ids)}`,
    `queries ${toMiB(queries)}`,
    `page views that wait ${toMiB(waiting)}`,
    `new objects of V8 ${toMiB(young)}`,
    `everything else ${toMiB(others)}`,
  ]
  const budget = `${toMiB(total)}${setting === undefined ? '' : ' by DOCENT_MEMORY'}`
  const says = `a service that starts here plans with ${budget}: ${parts.join(', ')}`
  if (total > limit) {
    return warning(
      'memory',
      `${says}; but the machine or its container has ${toMiB(limit)}`,
      'Set DOCENT_MEMORY to less.',
    )
  }
  if (total < leastMemory) {
    return warning('memory', says, `The service needs ${toMiB(leastMemory)}: give the machine or its container more.`)
  }
  return ok('memory', says)
}

function toMiB(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
