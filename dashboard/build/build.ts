// Builds the dashboard, unless the build of these sources exists. Builds in a folder of its own and renames that at the
// end, so that a killed build leaves nothing that is served. `npm run build`, the service and the tests come here.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  builds,
  findBuild,
  hashSources,
  listBuilds,
  publishBuild,
  workspace,
} from '../../src/service/dashboard-build.ts'
import { compress } from './compress.ts'

const temporary = '.building-'
/** An unfinished build of this age belongs to a process that was killed. */
const abandonedMs = 600_000
/** A service that was started with earlier sources still serves its build. */
const keptBuilds = 3

const began = performance.now()
const hash = hashSources()
if (findBuild(hash) === undefined) {
  mkdirSync(builds, { recursive: true })
  removeAbandoned()
  const folder = mkdtempSync(join(builds, temporary))
  try {
    // Loading it takes half a second, which a fresh build does not cost.
    const { build } = await import('vite')
    await build({ root: workspace, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
    compress(join(folder, 'assets'))
    // A build of sources that were edited meanwhile would have the wrong name.
    if (hashSources() !== hash) throw new Error('The sources changed while the dashboard was built. Build it again.')
    publishBuild(folder, hash)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const old of listBuilds().slice(keptBuilds)) rmSync(old, { recursive: true, force: true })
  process.stdout.write(`Built the dashboard in ${((performance.now() - began) / 1_000).toFixed(1)} s.\n`)
}

function removeAbandoned(): void {
  for (const name of readdirSync(builds)) {
    const folder = join(builds, name)
    if (!name.startsWith(temporary) || !existsSync(folder)) continue
    if (Date.now() - statSync(folder).mtimeMs > abandonedMs) rmSync(folder, { recursive: true, force: true })
  }
}
