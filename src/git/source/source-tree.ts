// One commit of a source as far as it may be seen. A search reads an index that holds the visible files with a content in the
// mirror, and nothing else: whatever globs and pattern a model writes, git is not given another file.

import { sizesOf } from '../read/sizes.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mirror } from '../cache/mirror.ts'
import { git } from '../cache/mirror.ts'
import { pathspecs, searchTree } from '../read/search.ts'
import { checkReadable, missing } from '../read/tree.ts'
import { damaged } from '../transport/errors.ts'
import type { IsVisible, Oid, SearchQuery, SourceEntry, SourceTree } from '../types.ts'
import { refusePath, shapeProblem } from '../write/path.ts'
import type { Listing } from './listing.ts'

export async function makeSourceTree(
  mirror: Mirror,
  commit: Oid,
  { files }: Listing,
  isVisible: IsVisible,
): Promise<SourceTree> {
  const { generation } = mirror.state
  const visible = files.filter(({ path }) => isVisible(path))
  const blobs = visible.filter(({ kind }) => kind !== 'submodule').map(({ oid }) => oid)
  const sizes = await sizesOf(mirror, blobs)
  const entries = visible.map((entry): SourceEntry => {
    const size = sizes.get(entry.oid)
    return { ...entry, size: size ?? 0, isFetched: size !== undefined }
  })
  const byPath = new Map(entries.filter(({ kind }) => kind !== 'unnameable').map((entry) => [entry.path, entry]))
  const { maxFileBytes } = mirror.options
  return {
    commit,
    entries: () => entries,
    entry: (path) => byPath.get(path),
    read: async (path) => {
      const entry = byPath.get(path)
      if (entry === undefined) return missing(path)
      // A content that was missing when the tree was listed may have come since.
      const size = entry.isFetched ? entry.size : (await sizesOf(mirror, [entry.oid])).get(entry.oid)
      checkReadable({ ...entry, size: size ?? 0 }, maxFileBytes)
      if (size === undefined) refusePath(path, 'its content was not fetched')
      const found = await mirror.objects.read(entry.oid)
      if (found?.type === 'blob') return found.content
      if (mirror.state.generation === generation) mirror.state.isDamaged = true
      throw damaged('a file of the commit is missing')
    },
    search: async (query, signal) => await searchVisible(mirror, entries, query, signal),
  }
}

async function searchVisible(mirror: Mirror, entries: readonly SourceEntry[], query: SearchQuery, signal: AbortSignal) {
  const files = entries.filter(({ kind, path }) => kind === 'file' && shapeProblem(path) === null)
  const isSearched = ({ isFetched, size }: SourceEntry) => isFetched && size <= mirror.options.maxFileBytes
  const folder = await mkdtemp(join(mirror.gitDir, 'docent-index-'))
  try {
    const indexFile = join(folder, 'searched')
    await writeIndex(mirror, indexFile, files.filter(isSearched), signal)
    const found = await searchTree(mirror, { ...query, indexFile }, signal)
    const others = files.filter((entry) => !isSearched(entry))
    return { ...found, notSearched: await countNamed(mirror, join(folder, 'others'), { others, query }, signal) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How many of the other files the query names. */
async function countNamed(
  mirror: Mirror,
  indexFile: string,
  { others, query }: { readonly others: readonly SourceEntry[]; readonly query: SearchQuery },
  signal: AbortSignal,
): Promise<number> {
  if (others.length === 0) return 0
  if (query.globs.length === 0 && (query.exclude ?? []).length === 0) return others.length
  await writeIndex(mirror, indexFile, others, signal)
  const args = ['ls-files', '--cached', '-z', '--', ...pathspecs(query)]
  const names = await git(mirror, { args, indexFile }, signal)
  return names.filter((byte) => byte === 0).length
}

/** 20,000 files take 40 ms. */
async function writeIndex(
  mirror: Mirror,
  indexFile: string,
  entries: readonly SourceEntry[],
  signal: AbortSignal,
): Promise<void> {
  const input = entries.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('')
  await git(mirror, { args: ['update-index', '-z', '--index-info'], indexFile, input }, signal)
}
