// The files of a release: the tarballs, their bills of materials, the notes, and the digests of all of them.

import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Packed } from '../packages/pack.ts'

export const digestsName = 'SHA256SUMS'
export const notesName = 'NOTES.md'

export type Packaged = Pick<Packed, 'tarball' | 'sbom'> & {
  /** As the registry knows it. */
  readonly name: string
  readonly version: string
}

/** The packages that `scripts/packages/pack.ts` made in a folder. Throws if one lacks its bill of materials. */
export async function readPackages(folder: string): Promise<readonly Packaged[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const manifests = entries.filter((one) => one.isDirectory()).map((one) => join(folder, one.name, 'package.json'))
  return Promise.all(
    manifests.map(async (path) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8')) as Pick<Packaged, 'name' | 'version'>
      const base = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}`)
      const packaged = { name, version, tarball: `${base}.tgz`, sbom: `${base}.cdx.json` }
      for (const file of [packaged.tarball, packaged.sbom]) await readFile(file)
      return packaged
    }),
  )
}

/** Writes the notes and the digests beside the tarballs. Returns all files of the release. */
export async function writeFiles(
  folder: string,
  packages: readonly Packaged[],
  notes: string,
): Promise<readonly string[]> {
  const notesPath = join(folder, notesName)
  await writeFile(notesPath, notes)
  const files = packages.flatMap(({ tarball, sbom }) => [tarball, sbom]).toSorted()
  const lines = await Promise.all(files.map(async (path) => `${await digestOf(path)}  ${basename(path)}\n`))
  const digests = join(folder, digestsName)
  await writeFile(digests, lines.join(''))
  return [...files, digests]
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
