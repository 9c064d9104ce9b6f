// An in-memory implementation of `src/agent/workspace.ts`, for tests of tools and models. It refuses what the contract
// says; the git engine has its own tests.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchQuery, SearchResult, Workspace, WorkspaceEntry } from '../../src/agent/workspace.ts'
import { createSelector } from '../../src/docs-syntax/glob.ts'
import { Failure } from '../../src/lib/failure.ts'

/** The content of a file, or the kind of entry that it is instead. */
export type MemoryFile = string | Uint8Array | { readonly kind: 'symlink' | 'submodule' }

export interface MemoryWorkspace extends Workspace {
  /** Returns the current text of a file; undefined if there is no such file. */
  text(path: string): string | undefined
  /** Returns all files as text, by path. */
  texts(): Record<string, string>
  /** The number of calls of `read`. */
  readonly reads: { count: number }
}

export function createMemoryWorkspace(files: Readonly<Record<string, MemoryFile>>): MemoryWorkspace {
  const kept = new Map(
    Object.entries(files).map(([path, file]) => [path, typeof file === 'string' ? toBytes(file) : file]),
  )
  const reads = { count: 0 }
  return {
    reads,
    list: () => Promise.resolve(sortedEntries(kept)),
    read: (path) => {
      reads.count += 1
      return attempt(() => readFile(kept, path))
    },
    search: (query) => attempt(() => search(kept, query)),
    write: (path, content) =>
      attempt(() => {
        readFile(kept, path)
        kept.set(path, content)
      }),
    move: (from, to) =>
      attempt(() => {
        const content = readFile(kept, from)
        if (!content || readFile(kept, to)) throw new Failure('path_refused', 'There is no file, or one in the way.')
        kept.delete(from)
        kept.set(to, content)
      }),
    remove: (path) =>
      attempt(() => {
        if (!readFile(kept, path)) throw new Failure('path_refused', 'There is no file at the path.')
        kept.delete(path)
      }),
    text: (path) => toText(kept.get(path)),
    texts: () => Object.fromEntries([...kept].map(([path, file]) => [path, toText(file) ?? ''])),
  }
}

/** Reads all files of a folder, by their paths relative to it. */
export function readFolder(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
}

type KeptFile = Exclude<MemoryFile, string>
type Kept = ReadonlyMap<string, KeptFile>

function readFile(files: Kept, path: string): Uint8Array | undefined {
  const isBad = path.includes('\0') || path.split('/').some((part) => ['', '.', '..', '.git'].includes(part))
  if (isBad) throw new Failure('path_refused', 'The path is refused: it leaves the repository or names no file.')
  const file = files.get(path)
  if (file && 'kind' in file) throw new Failure('path_refused', `The path is refused: a ${file.kind} is not followed.`)
  return file
}

function sortedEntries(files: Kept): WorkspaceEntry[] {
  const paths = [...files.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return paths.map((path) => {
    const file = files.get(path)
    return file && 'kind' in file ? { path, kind: file.kind, size: 0 } : { path, kind: 'file', size: file?.length ?? 0 }
  })
}

function search(files: Kept, query: SearchQuery): SearchResult {
  const isWanted = createSelector({ wanted: query.globs, unwanted: query.exclude ?? [] })
  const pattern = toPattern(query)
  const matches = sortedEntries(files).flatMap(({ path }) => {
    const text = isWanted(path) ? toText(files.get(path)) : undefined
    if (text === undefined || text.includes('\0')) return []
    const isMatch = new RegExp(pattern, `${pattern.flags}m`).test(text)
    if (query.without === true) return isMatch ? [] : [{ path, line: 0, text: '' }]
    if (!isMatch) return []
    const lines = text.split('\n').map((line, index) => ({ path, line: index + 1, text: line }))
    return lines.filter((line) => pattern.test(line.text))
  })
  return { matches: matches.slice(0, query.limit), truncated: matches.length > query.limit }
}

function toPattern({ pattern, syntax, ignoreCase }: SearchQuery): RegExp {
  const source =
    syntax === 'literal' ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern.replaceAll('[[:space:]]', '\\s')
  try {
    return new RegExp(source, ignoreCase ? 'iu' : 'u')
  } catch (cause) {
    throw new Failure('invalid_input', 'The pattern is no regular expression.', { cause })
  }
}

function attempt<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => resolve(action()))
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function toText(file: KeptFile | undefined): string | undefined {
  return file === undefined || 'kind' in file ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(file)
}
