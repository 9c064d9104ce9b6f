// The part of the lock that an installed package needs: what users get is what the tests ran with.

export type Locked = {
  readonly version?: string
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly [field: string]: unknown
}
type Versions = Readonly<Record<string, string>>
export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> }

type Manifest = { readonly name: string; readonly version: string; readonly dependencies: Versions }

/** Throws when the lock lacks a dependency. */
export function toShrinkwrap(lock: Lock, manifest: Manifest) {
  const found = new Map<string, Locked>()
  const add = (from: string, names: readonly string[], isNeeded: boolean) => {
    for (const name of names) {
      const place = findPlace(lock, from, name)
      if (place === undefined && isNeeded)
        throw new Error(`The lock has no ${name}, which ${from || manifest.name} needs.`)
      const locked = place === undefined ? undefined : lock.packages[place]
      if (place === undefined || locked === undefined || found.has(place)) continue
      const { dev: _dev, devOptional: _optional, ...kept } = locked
      found.set(place, kept)
      const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta: meta } = locked
      add(place, Object.keys(dependencies), true)
      add(place, Object.keys(optionalDependencies), false)
      add(
        place,
        Object.keys(peerDependencies).filter((one) => !meta?.[one]?.optional),
        true,
      )
    }
  }
  add('', Object.keys(manifest.dependencies), true)
  const { name, version } = manifest
  const packages = Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { '': manifest, ...packages },
  }
}

/** As Node.js looks it up: beside the package, then further up. */
function findPlace({ packages }: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return undefined
  }
}
