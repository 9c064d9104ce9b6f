// Writes the bill of materials of a package, in CycloneDX: all packages that it brings or contains, with their versions, licences and
// digests. npm makes it of a lock, so nothing has to be installed, and no registry is asked.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Lock, type Locked, toShrinkwrap } from './shrinkwrap.ts'

export type SbomManifest = {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * `lock`: that of the repository. `bundled`: where the packages are in it that the package contains, such as `node_modules/yaml`, if
 * it is a bundle.
 */
export async function writeSbom(
  path: string,
  own: SbomManifest,
  lock: Lock,
  bundled?: readonly string[],
): Promise<void> {
  const { dependencies = {} } = own
  const described = bundled ? bundledLock(lock, bundled, own) : toShrinkwrap(lock, { ...own, dependencies })
  const folder = await mkdtemp(join(tmpdir(), 'docent-sbom-'))
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify(described.packages['']))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(described))
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 16 * 1024 ** 2 })
    const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } }
    // npm takes the name of the folder.
    sbom.metadata.component.name = own.name
    await writeFile(path, `${JSON.stringify(sbom, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A lock of these packages alone, which need nothing that is not in it. */
function bundledLock({ packages, lockfileVersion }: Lock, places: readonly string[], own: SbomManifest) {
  const names = new Set(places.map(nameAt))
  const kept = places.map((place): [string, Locked] => {
    const { dev: _dev, peerDependenciesMeta: _meta, ...locked } = packages[place] ?? {}
    const fields = (['dependencies', 'optionalDependencies', 'peerDependencies'] as const).map((field) => {
      return [field, Object.fromEntries(Object.entries(locked[field] ?? {}).filter(([name]) => names.has(name)))]
    })
    return [place, { ...locked, ...(Object.fromEntries(fields) as Partial<Locked>) }]
  })
  const outer = kept.filter(([place]) => place.lastIndexOf('node_modules/') === 0)
  const dependencies = Object.fromEntries(outer.map(([place, { version }]) => [nameAt(place), version ?? '']))
  const { name, version } = own
  const all = { '': { ...own, dependencies }, ...Object.fromEntries(kept) }
  return { name, version, lockfileVersion, requires: true, packages: all }
}

function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
