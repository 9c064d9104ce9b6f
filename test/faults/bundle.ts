// The process of the service under faults as one file: loading some 1,600 modules takes most of the CPU of a start, and
// the fault tests start more than a hundred processes. The bundle is cached under a name that changes with the sources.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../', import.meta.url))
const entry = fileURLToPath(new URL('service-process.ts', import.meta.url))
const cache = join(root, 'node_modules/.cache/docent-test')
/** They load files beside their own. */
const external = [/^@electric-sql\//, /^chdb/, /^pino$/]

const shared: { made?: Promise<string> } = {}

/** Returns the path of the bundle. */
export function bundledService(): Promise<string> {
  return (shared.made ??= findBundle())
}

function findBundle(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [entry, join(root, 'package-lock.json'), ...globSync(join(root, 'src/**/*.ts')).toSorted()]) {
    hash.update(`${file}\0`).update(readFileSync(file))
  }
  const place = join(cache, `service-${hash.digest('hex').slice(0, 16)}`)
  return existsSync(place) ? Promise.resolve(join(place, 'service-process.js')) : makeBundle(place)
}

/** Several processes may make the bundle at once. The first one wins. */
async function makeBundle(place: string): Promise<string> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'new-'))
  const bundle = await rolldown({ input: entry, platform: 'node', external, plugins: [atOwnPlace] })
  await bundle.write({ dir: folder, format: 'esm' })
  await rename(folder, place).catch(() => undefined)
  await rm(folder, { recursive: true, force: true })
  return join(place, 'service-process.js')
}

/** The sources read files beside their own, which stay where they are. */
const atOwnPlace = {
  name: 'at-own-place',
  transform(code: string, id: string) {
    if (!id.startsWith(join(root, 'src'))) return undefined
    const url = JSON.stringify(pathToFileURL(id).href)
    const folder = JSON.stringify(dirname(id))
    return code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', folder)
  },
}
