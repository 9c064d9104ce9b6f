// Finds the dashboard that the service serves, and builds it first where its sources changed and Vite is installed. An
// installation without development tools serves the build that came with it.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import type { Log } from '../lib/observability/log.ts'
import { findBuild, hashSources, listBuilds, workspace } from './dashboard-build.ts'

/** Returns the folder of the build, or undefined if there is no build; the log then says what to do. */
export async function prepareDashboard(log: Log, signal?: AbortSignal): Promise<string | undefined> {
  const folder = canBuild() ? await findOrBuild(log, signal) : undefined
  const found = folder ?? listBuilds()[0]
  if (found === undefined)
    log.warn({}, 'the dashboard is not built: run `npm ci && npm run build` in the folder of Docent')
  return found
}

function canBuild(): boolean {
  return existsSync(join(workspace, '../node_modules/vite/bin/vite.js')) && existsSync(join(workspace, 'src'))
}

async function findOrBuild(log: Log, signal: AbortSignal | undefined): Promise<string | undefined> {
  const hash = hashSources()
  const found = findBuild(hash)
  if (found !== undefined) return found
  log.info({}, 'building the dashboard')
  const began = performance.now()
  try {
    await promisify(execFile)(execPath, [join(workspace, 'build/build.ts')], { signal })
    log.info({ seconds: Math.round((performance.now() - began) / 1_000) }, 'built the dashboard')
  } catch (error) {
    log.error({ err: error }, 'the dashboard could not be built; the latest build is served')
  }
  return findBuild(hash)
}
