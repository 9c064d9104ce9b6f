// Finds out whether a path is protected, and why. Compares folded paths with the two lists. Most globs are a name, a suffix
// or a folder, which are looked up in maps: a path takes 20 µs. Trying all 900 globs would take 1.5 ms.

import { LRUCache } from 'lru-cache'
import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { foldPath } from './fold-path.ts'
import { manifestGroups } from './manifest-list.ts'
import { protectedGroups } from './protected-list.ts'

/** The description of a protected file, and the glob that matched it. */
export type Protection = { readonly what: string; readonly glob: string }

type Pattern = Protection & { readonly matches: (path: string) => boolean; readonly takesPages: boolean }

/** Pages are not protected: `docs/dockerfile.md` is a page about Dockerfiles, although `dockerfile.*` matches it. */
const page = /\.(?:mdx?|markdown|rst|adoc|html?)$/

type Index = {
  readonly paths: Map<string, Protection>
  readonly names: Map<string, Protection>
  readonly folders: Map<string, Protection>
  readonly patterns: Pattern[]
}

const index = createIndex()

/** A run judges each of its paths several times. */
const judged = new LRUCache<string, { readonly protection: Protection | undefined }>({ max: 1_000 })

/** Returns undefined for a path that is not protected. */
export function findProtection(path: string): Protection | undefined {
  const known = judged.get(path) ?? { protection: look(path) }
  judged.set(path, known)
  return known.protection
}

function look(path: string): Protection | undefined {
  const folded = foldPath(path)
  const segments = folded.split('/')
  const { paths, names, folders, patterns } = index
  const inFolder = segments.slice(0, -1).map((segment) => folders.get(segment))
  const found = paths.get(folded) ?? names.get(segments.at(-1) ?? '') ?? inFolder.find((one) => one !== undefined)
  if (found) return found
  const isPage = page.test(folded)
  return patterns.find(({ matches, takesPages }) => (takesPages || !isPage) && matches(folded))
}

function createIndex(): Index {
  const made: Index = { paths: new Map(), names: new Map(), folders: new Map(), patterns: [] }
  for (const [what, globs] of [protectedGroups, manifestGroups].flatMap(Object.entries<readonly string[]>)) {
    for (const glob of globs) for (const plain of toFileGlobs(glob)) addGlob(made, plain, { what, glob })
  }
  return made
}

function addGlob({ paths, names, folders, patterns }: Index, plain: string, protection: Protection): void {
  const isLiteral = (text: string): boolean => !/[*?[\\]/.test(text)
  const rest = plain.replace(/^\*\*\//, '')
  const folder = rest.replace(/\/\*\*$/, '')
  if (isLiteral(plain)) addFirst(paths, plain, protection)
  else if (isLiteral(rest) && !rest.includes('/')) addFirst(names, rest, protection)
  else if (folder !== rest && isLiteral(folder) && !folder.includes('/')) addFirst(folders, folder, protection)
  else patterns.push({ ...protection, matches: toMatcher(plain), takesPages: !plain.endsWith('*') || folder !== rest })
}

function addFirst(map: Map<string, Protection>, key: string, protection: Protection): void {
  if (!map.has(key)) map.set(key, protection)
}

/** Matches suffixes such as `*.sh` directly, and other globs with a matcher. */
function toMatcher(plain: string): (path: string) => boolean {
  const ending = /^\*\*\/\*([^*?[\\/]+)$/.exec(plain)?.[1]
  return ending === undefined ? createGlobMatcher([plain]) : (path) => path.endsWith(ending)
}

/** Like `toGlobs`, but a name matches only a file and not a folder, and a leading slash matches only at the root. */
function toFileGlobs(glob: string): readonly string[] {
  if (glob.startsWith('/')) return toGlobs(`./${glob}`).flatMap((plain) => plain.replace(/^(?:\*\*)?\//, ''))
  return toGlobs(glob).filter((plain) => glob.endsWith('/**') || !plain.endsWith('/**'))
}
