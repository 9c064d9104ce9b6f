// What the service stands on: Node.js, git, and the data directory with its owner and its disk.

import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPatched } from '../../git/transport/version.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const oldestNode = [24, 12]
const leastFreeBytes = 200e6
const scarceBytes = 1e9

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

/** Exists, belongs to us, is for nobody else. */
export async function checkDirectory(dataDir: string): Promise<Finding> {
  const about = 'data directory'
  const found = await stat(dataDir).catch(() => undefined)
  if (!found) {
    const parent = await canWrite(dirname(dataDir))
    if (parent) return ok(about, `${dataDir} does not exist yet; the first start makes it`)
    return failed(about, `${dataDir} does not exist and cannot be made`, `Make it, for the user of the service.`)
  }
  if (!found.isDirectory()) return failed(about, `${dataDir} is no folder`, 'Set DOCENT_DATA_DIR to a folder.')
  if (!(await canWrite(dataDir))) {
    return failed(about, `${dataDir} cannot be written`, 'Give it to the user that runs the service and this command.')
  }
  if ((found.mode & 0o077) === 0) return ok(about, dataDir)
  const mode = (found.mode & 0o777).toString(8)
  return warning(about, `${dataDir} can be entered by others (mode ${mode})`, `chmod 700 ${dataDir}`)
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const disk = await statfs(dataDir).catch(() => statfs(dirname(dataDir)).catch(() => undefined))
  if (!disk) return warning('disk', 'its free space is not known', 'Check it with df.')
  const free = disk.bavail * disk.bsize
  const says = `${(free / 1e9).toFixed(1)} GB free`
  const todo =
    'Free some space: the database cannot write on a full disk, and a backup needs the place of the database.'
  if (free < leastFreeBytes) return failed('disk', says, todo)
  return free < scarceBytes ? warning('disk', says, todo) : ok('disk', says)
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
