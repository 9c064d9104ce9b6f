// Finds pages that a change deletes although no message names them, and changes that delete many pages. Pure.

import { posix } from 'node:path'
import { findMoves } from '../../../checks/moves.ts'
import { escapePattern } from '../../../lib/plain-text.ts'
import type { TreeFile } from '../../../sites/tree.ts'
import type { Finding } from '../verdict.ts'

export type Deletions = {
  readonly before: readonly TreeFile[]
  readonly after: readonly TreeFile[]
  /** The text of a page before the change; undefined if it cannot be read. */
  readonly textOf: (path: string) => Promise<string | undefined>
  /** The messages of the job. */
  readonly messages: readonly string[]
  /** Null for the default. */
  readonly mostPercent: number | null
}

const defaultPercent = 10
/** Fewer pages are never many. */
const fewPages = 3
const page = /\.(?:mdx?|markdown|html?|rst|adoc|ipynb)$/i

export async function findDeletions(change: Deletions): Promise<readonly Finding[]> {
  const { before, after, mostPercent, textOf } = change
  const pages = before.filter(({ path, kind }) => kind === 'file' && page.test(path))
  const present = new Set(after.map(({ path }) => path))
  const gone = pages.filter(({ path }) => !present.has(path))
  if (gone.length === 0) return []
  const moves = findMoves(before, after)
  const deleted = gone.filter(({ path }) => !moves.has(path))
  const [first] = deleted
  const isMany = deleted.length >= fewPages && deleted.length * 100 > (mostPercent ?? defaultPercent) * pages.length
  const isNamed = createNaming(change.messages)
  const found: Finding[] = []
  if (first && isMany) found.push(deletion(first.path, `is one of ${deleted.length} deleted pages, of ${pages.length}`))
  for (const { path } of deleted) {
    if (!isNamed(path, await textOf(path))) found.push(deletion(path, 'is deleted, and no message names it'))
  }
  return found
}

function deletion(path: string, message: string): Finding {
  return { kind: 'deletion', path, line: null, message, remedy: null }
}

/** Shorter names are words of any message. */
const leastName = 3
const indexName = /^(?:index|readme|_index)$/

/** Returns a function that says whether a message names a page: by path, file name, title, address, or folder. */
function createNaming(messages: readonly string[]): (path: string, text: string | undefined) => boolean {
  const said = ` ${plain(messages.join('\n'))} `
  const names = (name: string) =>
    name.length >= leastName &&
    new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, 'u').test(said)
  const namesFolder = (folder: string) => {
    const name = escapePattern(plain(folder))
    const last = escapePattern(plain(posix.basename(folder)))
    return new RegExp(
      `(?<![\\p{L}\\p{N}/])/?${name}/\\**(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}/])${last} (?:folder|directory|section)`,
      'u',
    ).test(said)
  }
  return (path, text) => {
    const address = path.slice(0, -posix.extname(path).length)
    const stem = posix.basename(address)
    const own = indexName.test(stem.toLowerCase()) ? posix.dirname(path) : address
    const known = [path, posix.basename(path), posix.basename(own), titleOf(text), ...tailsOf(own)]
    const isOwnName = (name: string) => name !== '.' && !indexName.test(name.toLowerCase().replace(/\.\w+$/, ''))
    return known.some((name) => isOwnName(name) && names(plain(name))) || foldersOf(path).some(namesFolder)
  }
}

/** In lower case, with spaces for the separators of words in names. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
}

/** `docs/guides/a` is `guides/a` on a site whose pages are in `docs`. */
function tailsOf(address: string): readonly string[] {
  const parts = address.split('/')
  return parts.slice(0, -1).map((_, at) => parts.slice(at).join('/'))
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

function titleOf(text = ''): string {
  const [, title, heading] = /^title:[ \t]*["']?([^"'\r\n]{1,200})|^#[ \t]+([^\r\n]{1,200})/m.exec(text) ?? []
  return (title ?? heading ?? '').trim()
}
