// Runs the commands that tag and publish. One that failed stops the rest; the next attempt skips those that are done.

import { type Command, tagCommand, toText } from './commands.ts'
import type { Packaged } from './files.ts'
import type { Standing } from './names/registry.ts'

export type Publishing = {
  readonly version: string
  readonly commands: readonly Command[]
  readonly packages: readonly Packaged[]
  /** Does the tag name this commit? */
  readonly isTagged: boolean
  /** By the name of the package, as the registry said right before. */
  readonly standings: ReadonlyMap<string, Standing>
  readonly say: (line: string) => void
  /** Throws when the command fails. */
  readonly run: (command: Command) => void
}

export function publish({ version, commands, packages, isTagged, standings, say, run }: Publishing): void {
  const isDone = ([program, , subject]: Command) => {
    const published = program === 'npm' ? packages.find(({ tarball }) => tarball === subject) : undefined
    const standing = published && standings.get(published.name)
    return standing?.kind === 'ours' && standing.versions.includes(version)
  }
  const tag = tagCommand({ version })
  for (const command of [tag, ...commands]) {
    if (command === tag ? isTagged : isDone(command)) say(`✔ ${toText(command)}: done before`)
    else run(command)
  }
}
