// The sources of a run: repositories of the product that tools read under `@name/…`, next to the documentation. Only the
// reading half of a workspace: nothing that writes takes one. `./@name/…` is a folder of the documentation.

import type { Selection } from '../docs-syntax/glob.ts'
import { Failure } from '../lib/failure.ts'
import type { History } from './history.ts'
import type { Files, SearchQuery, Workspace, WorkspaceEntry } from './workspace.ts'

/** `files`: paths from the root of its repository. */
export type Source = { readonly name: string; readonly files: Files; readonly history?: History }

/** The sources that a run has, and those that it lacks, with the reason as a sentence. */
export type Sources = {
  readonly present: readonly Source[]
  readonly missing: readonly { readonly name: string; readonly reason: string }[]
}

export const noSources: Sources = { present: [], missing: [] }

const named = /^@([a-z0-9-]{1,40})(?:\/|$)/

/** The name of the source that a path or glob begins with, whether there is one or not. */
function nameIn(path: string): string | undefined {
  return named.exec(path)?.[1]
}

/** The files of a place: those of a source, which all begin with `@name/`, or the documentation. */
export function filesOf({ source }: Pick<Place, 'source'>, workspace: Files): Files {
  return source ? prefixed(source) : workspace
}

/** `source` undefined: the documentation. `path`: in its repository; `prefix` comes before it in calls and results. */
export type Place = { readonly source: Source | undefined; readonly path: string; readonly prefix: string }

/** For the result of a call about this place. */
export function factsOfPlace({ source }: Pick<Place, 'source'>): { readonly source?: string } {
  return source ? { source: source.name } : {}
}

/** Where the path of a call is. Throws `path_refused` for a source that the run lacks. */
export function placeOf(path: string, { present, missing }: Sources): Place {
  const name = nameIn(path)
  const source = present.find((one) => one.name === name)
  if (source) {
    const prefix = `@${source.name}/`
    return { source, prefix, path: path.slice(prefix.length) }
  }
  const lacking = missing.find((one) => one.name === name)
  if (!lacking) return { source: undefined, prefix: '', path: inDocs(path) }
  throw new Failure('path_refused', `The source @${lacking.name} is missing in this run: ${lacking.reason}`)
}

/** The same for the globs of a list or search, which are in one place. Throws `invalid_input` for globs in several. */
export function placeOfGlobs({ wanted }: Selection, sources: Sources): Place {
  const all = [...sources.present, ...sources.missing].map(({ name }) => name)
  const names = new Set(wanted.map((glob) => all.find((name) => nameIn(withoutFolders(glob)) === name)))
  if (names.size > 1)
    throw new Failure('invalid_input', 'A call is about one source or about the documentation: make several.')
  const [name] = names
  return name === undefined ? placeOf('', sources) : placeOf(`@${name}`, sources)
}

/** `@name` alone is read as a name in any folder. */
function withoutFolders(glob: string): string {
  return glob.replace(/^\*\*\/(?=@)/, '')
}

function prefixed({ name, files }: Source): Files {
  const prefix = `@${name}/`
  const within = (glob: string): string => {
    const plain = withoutFolders(glob)
    if (plain === `@${name}`) return '**'
    return plain.startsWith(prefix) ? plain.slice(prefix.length) : glob
  }
  const shown = <One extends { readonly path: string }>(one: One): One => ({ ...one, path: prefix + one.path })
  return {
    list: async () => (await files.list()).map((entry): WorkspaceEntry => shown(entry)),
    read: (path) => (path.startsWith(prefix) ? files.read(path.slice(prefix.length)) : Promise.resolve(undefined)),
    search: async (query: SearchQuery, signal) => {
      const exclude = query.exclude?.map(within)
      const asked = { ...query, globs: query.globs.map(within), ...(exclude ? { exclude } : {}) }
      const found = await files.search(asked, signal)
      return { ...found, matches: found.matches.map(shown) }
    },
  }
}

/**
 * The selection of a call about a source: `exclude` may be written with its name or from its root. A glob such as `@api`
 * is the whole source.
 */
export function withinSource({ wanted, unwanted }: Selection, sources: Sources): Selection {
  const name = wanted.map((glob) => nameIn(withoutFolders(glob))).find((one) => one !== undefined)
  if (!sources.present.some((source) => source.name === name)) return { wanted, unwanted }
  const prefix = `@${name}/`
  const absolute = (glob: string): string => (/^(?:@|\*\*\/)/.test(glob) ? glob : prefix + glob)
  return { wanted: wanted.map(withoutFolders), unwanted: unwanted.map(absolute) }
}

/** A workspace in which no edit is in a source, and `./@name/…` is in the documentation. */
export function besideSources(workspace: Workspace, sources: Sources): Workspace {
  const names = new Set([...sources.present, ...sources.missing].map(({ name }) => name))
  if (names.size === 0) return workspace
  const toEdit = (path: string): string => {
    const name = nameIn(path) ?? ''
    if (!names.has(name)) return inDocs(path)
    throw new Failure('path_refused', `@${name} is a source, which is only read. Edit files of the documentation.`)
  }
  return {
    ...workspace,
    read: async (path) => {
      const found = await workspace.read(inDocs(path))
      // A tool that only reads asks the source itself.
      return found ?? (names.has(nameIn(path) ?? '') ? await workspace.read(toEdit(path)) : undefined)
    },
    write: async (path, content) => workspace.write(toEdit(path), content),
    move: async (from, to) => workspace.move(toEdit(from), toEdit(to)),
    remove: async (path) => workspace.remove(toEdit(path)),
  }
}

function inDocs(path: string): string {
  return path.replace(/^\.\/(?=@)/, '')
}
