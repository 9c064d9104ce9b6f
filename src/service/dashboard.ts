// The built dashboard: where it is, whether it is of these sources, and building it where Vite is installed. An installation
// without development tools serves the build that came with it.

import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import type { Log } from '../lib/observability/log.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'dashboard')
const built = join(folder, 'dist')
const stamp = join(built, 'sources.sha256')
const sources = [
  'dashboard/{src,build}/**/*.*',
  'dashboard/{index.html,vite.config.ts,package.json}',
  'package-lock.json',
]

/** Returns the folder of the build; undefined: there is none, and the log says what to do. */
export async function prepareDashboard(log: Log): Promise<string | undefined> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (existsSync(vite) && existsSync(join(folder, 'src')) && isStale()) await build(vite, log)
  if (existsSync(join(built, 'index.html'))) return built
  log.warn({}, 'the dashboard is not built: run `npm ci && npm run build` in the folder of Docent')
  return undefined
}

/** Was the build made of other sources? Times say nothing: a checkout sets them anew. */
function isStale(): boolean {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashSources()
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

async function build(vite: string, log: Log): Promise<void> {
  log.info({}, 'building the dashboard')
  const run = promisify(execFile)
  try {
    await run(execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder })
    await run(execPath, [join(folder, 'build/compress.ts')], { cwd: folder })
    writeFileSync(stamp, hashSources())
  } catch (error) {
    log.error({ err: error }, 'the dashboard could not be built')
  }
}
