// Checks the version of git: the engine needs 2.39. Releases without the security fixes of July 2025 work too, and are
// logged once as a warning.

import { Failure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { Runner } from './run.ts'

/** The first release of each line with the fixes of July 2025 (CVE-2025-48384 and related); later lines have them. */
const patched = ['2.43.7', '2.44.4', '2.45.4', '2.46.4', '2.47.3', '2.48.2', '2.49.1', '2.50.1']
const oldest = [2, 39, 0]

/** Returns the version. Throws `config_invalid` with the remedy. */
export async function checkVersion(runner: Runner, log: Log): Promise<string> {
  const result = await runner.run({ args: ['version'] }).catch((cause: unknown) => {
    throw new Failure('config_invalid', 'git was not found. Install git 2.39 or newer.', { cause })
  })
  const version = /^git version (\d+\.\d+(?:\.\d+)?)/.exec(result.stdout.toString('utf8'))?.[1]
  if (version === undefined || compare(parts(version), oldest) < 0) {
    throw new Failure('config_invalid', `git ${version ?? 'of an unknown version'} is too old. Install 2.39 or newer.`)
  }
  if (!isPatched(version)) {
    log.warn(
      { version },
      'this git version has known security faults unless the distribution patched it; prefer a newer one',
    )
  }
  return version
}

export function isPatched(version: string): boolean {
  const mine = parts(version)
  const line = patched.map(parts).find((floor) => floor[0] === mine[0] && floor[1] === mine[1])
  if (line !== undefined) return compare(mine, line) >= 0
  return compare(mine, parts(patched.at(-1) ?? '')) > 0
}

function parts(version: string): number[] {
  return version.split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = [0, 1, 2].find((at) => (a[at] ?? 0) !== (b[at] ?? 0))
  return index === undefined ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}
