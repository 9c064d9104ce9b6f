// The commands that publish a release, in the order in which a failure does the least harm: all can run again after one that failed.

import { join } from 'node:path'
import type { Names } from './names/places.ts'
import { notesName, type Packaged } from './files.ts'
import { tagOf } from './notes.ts'

export type Release = {
  readonly version: string
  readonly names: Names
  readonly folder: string
  readonly packages: readonly Packaged[]
  /** To attach to the page of the release. */
  readonly files: readonly string[]
}

export type Command = readonly [program: string, ...args: string[]]

export function tagCommand({ version }: Pick<Release, 'version'>): Command {
  return ['git', 'tag', '--annotate', tagOf(version), `--message=Docent ${version}`]
}

/** The service last: it names the others. */
export function publishCommands(release: Release): readonly Command[] {
  const { version, names, folder, packages, files } = release
  const isService = ({ name }: Packaged) => name === names.packages['service']
  const inOrder = packages.toSorted((a, b) => Number(isService(a)) - Number(isService(b)))
  const tag = tagOf(version)
  return [
    ['git', 'push', 'origin', tag],
    ...inOrder.map(({ tarball }): Command => ['npm', 'publish', tarball, '--access', 'public']),
    [
      'docker',
      'buildx',
      'build',
      '--platform=linux/amd64,linux/arm64',
      `--tag=${names.image}:${version}`,
      `--tag=${names.image}:latest`,
      '--push',
      '.',
    ],
    [
      'gh',
      'release',
      'create',
      tag,
      '--verify-tag',
      `--title=${version}`,
      `--notes-file=${join(folder, notesName)}`,
      ...files,
    ],
  ]
}

export function toText([program, ...args]: Command): string {
  return [program, ...args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg}'`))].join(' ')
}
