// The places that say which version this is. They must all say the same, because all packages have one version.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../src/service/version.ts'
import { newestSection } from './notes.ts'

export type VersionPlace = { readonly place: string; readonly version: string | undefined }

const workspaces = ['client', 'dashboard']

export function readVersions(root: string): readonly VersionPlace[] {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as { readonly version?: string }
  const lock = read('package-lock.json') as {
    readonly version?: string
    readonly packages: Readonly<Record<string, { readonly version?: string }>>
  }
  const manifests = ['package.json', ...workspaces.map((name) => `${name}/package.json`)]
  return [
    { place: 'src/service/version.ts', version },
    ...manifests.map((place) => ({ place, version: read(place).version })),
    { place: 'package-lock.json', version: lock.version },
    ...['', ...workspaces].map((name) => ({
      place: `package-lock.json, packages["${name}"]`,
      version: lock.packages[name]?.version,
    })),
    {
      place: 'CHANGELOG.md, the newest section',
      version: newestSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.version,
    },
  ]
}

/** Those that say something else than most. Empty: all agree. */
export function differing(places: readonly VersionPlace[]): readonly VersionPlace[] {
  const groups = [...Map.groupBy(places, (one) => one.version).values()].toSorted((a, b) => b.length - a.length)
  return groups.slice(1).flat()
}
