// The collections of an Astro project: the folders that `content.config` gives to `glob`, or those of `src/content`. Nothing
// is evaluated: a collection whose folder is no literal is left out.

import { posix } from 'node:path'
import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { toSlug } from '../../docs-syntax/page.ts'
import { callsOf, closingAt, literalOf } from '../../docs-syntax/script/calls.ts'
import { toFolder, withoutExtension } from '../names.ts'
import type { PageFields } from '../site.ts'

export type Collection = {
  readonly name: string
  readonly folder: string
  /** The part of each id that the folder has: a pattern may begin with it. */
  readonly prefix: string
  /** Whether a file of the folder is an entry. */
  holds(path: string): boolean
  /** Code makes the ids. */
  readonly hasOwnIds: boolean
}

type Folders = { readonly root: string; readonly content: string }

/** `text`: that of `content.config`, without comments. */
export function readCollections(text: string, { root, content }: Folders): Collection[] {
  const exported = /\bcollections\b[^={]{0,100}=\s*\{/.exec(text)
  const start = exported ? exported.index + exported[0].length : text.length
  const list = text.slice(start, closingAt(text, start))
  return callsOf(text, 'defineCollection').flatMap(({ name: constant, text: call }) => {
    const key =
      constant === '' ? '' : new RegExp(String.raw`['"]?\b([\w-]{1,60})['"]?\s*:\s*${constant}\b`).exec(list)?.[1]
    const name = key ?? constant
    if (!/\bloader\b/.test(call)) return [legacyCollection(name, content)]
    const [glob] = callsOf(call, 'glob')
    const base = glob && (/\bbase\b/.test(glob.text) ? literalOf(glob.text, 'base', text) : '.')
    if (glob === undefined || base === undefined) return []
    const patterns = patternsOf(glob.text)
    const prefix = patterns.length === 1 ? (/^(?:\.?[\w-]+\/)*/.exec(patterns[0] ?? '')?.[0] ?? '') : ''
    const matches = createMatcher(patterns)
    const holds = (path: string) => !/(?:^|\/)\./.test(path) && matches(prefix + path)
    const folder = toFolder(posix.join(root, base, prefix))
    return [{ name, folder, prefix, holds, hasOwnIds: /\bgenerateId\b/.test(call) }]
  })
}

/** A collection that no loader reads, as in Astro before version 5. */
export function legacyCollection(name: string, content: string): Collection {
  const holds = (path: string) => !/(?:^|\/)[_.]/.test(path)
  return { name, folder: posix.join(content, name), prefix: '', holds, hasOwnIds: false }
}

/** Astro makes the id of an entry from each part of its path. A README has an id of its own. */
export function entryId(path: string, fields: PageFields): string {
  const id = withoutExtension(path).split('/').map(toSlug).join('/')
  return fields?.strings['slug']?.replace(/^\/|\/$/g, '') ?? id.replace(/(?:^|\/)index$/, '')
}

export function withoutComments(text: string): string {
  return text.replace(/^[ \t]*(?:\/\/.*$|\/\*[^]{0,2000}?\*\/)/gm, '')
}

/** Empty if they are not literals. */
function patternsOf(glob: string): string[] {
  const found = /\bpattern:\s*(\[|(['"`])[^\n]*?\2)/.exec(glob)
  const end = found ? found.index + found[0].length : 0
  const written = found?.[1] === '[' ? glob.slice(end, closingAt(glob, end)) : (found?.[1] ?? '')
  const patterns = Array.from(written.matchAll(/(['"`])(.*?)\1/g), ([, , one = '']) => one.replace(/^(!?)\.\//, '$1'))
  return patterns.some((one) => one.includes('${')) ? [] : patterns
}

/** A pattern in a form that is not read fits any file. */
function createMatcher(patterns: readonly string[]): (path: string) => boolean {
  const plain = patterns.map((one) =>
    one.replace(/(?<![!+?*@])@?\(([\w|]+)\)/g, (_, list: string) => `{${list.replaceAll('|', ',')}}`),
  )
  if (plain.length === 0 || plain.some(isUnread)) return () => true
  // A folder before each, since `*.md` alone would fit in all folders.
  const toMatcher = (some: readonly string[]) => createGlobMatcher(some.flatMap((one) => toGlobs(`-/${one}`)))
  const fits = toMatcher(plain.filter((one) => !one.startsWith('!')))
  const isOut = toMatcher(plain.flatMap((one) => (one.startsWith('!') ? [one.slice(1)] : [])))
  return (path) => fits(`-/${path}`) && !isOut(`-/${path}`)
}

function isUnread(pattern: string): boolean {
  return pattern.length > 400 || /[()]|\{.*\{/.test(pattern) || pattern.split(',').length > 60
}
