// The pages that a change adds or changes, read from the files before it and after it. The rest of the engine is given their texts.

import { isPagePath } from '../docs-syntax/markdown.ts'
import type { ChangedText } from './places.ts'

/** All files of a repository or a folder. `oid`: files with the same one have the same bytes. */
export type Snapshot = {
  entries(): readonly {
    readonly path: string
    readonly kind: string
    readonly size: number
    readonly oid: string
  }[]
  /** May throw for a file that is too large. */
  read(path: string): Promise<Uint8Array | undefined>
}

/** `left`: pages that are not read, because they are too large or too many. */
export type Change = { readonly texts: readonly ChangedText[]; readonly left: readonly string[] }

/** A change of more pages is a move or a generated one. */
const mostPages = 200
const maxPageBytes = 1_000_000

export async function readChange(before: Snapshot, after: Snapshot): Promise<Change> {
  const old = new Map(before.entries().map(({ path, oid }) => [path, oid]))
  const changed = after
    .entries()
    .filter(({ path, kind, oid }) => kind === 'file' && isPagePath(path) && old.get(path) !== oid)
  const read = changed.filter(({ size }) => size <= maxPageBytes).slice(0, mostPages)
  const texts = await Promise.all(
    read.map(async ({ path }) => ({
      path,
      before: old.has(path) ? await readText(before, path) : undefined,
      after: await readText(after, path),
    })),
  )
  const isRead = new Set(read)
  return { texts, left: changed.filter((file) => !isRead.has(file)).map(({ path }) => path) }
}

async function readText(files: Snapshot, path: string): Promise<string | undefined> {
  const bytes = await files.read(path).catch(() => undefined)
  return bytes && new TextDecoder().decode(bytes)
}
