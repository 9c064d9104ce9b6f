// Judges the files that a change inserts into pages: nothing from outside the repository, no secrets, and what comes from a
// folder that no page of the base inserts from is shown.

import { posix } from 'node:path'
import { inlineCode } from '../../../lib/plain-text.ts'
import type { ChangedContent } from '../content/change.ts'
import { search } from '../content/known.ts'
import type { Finding } from '../verdict.ts'
import { findIncludes, type Include, resolveInclude } from './includes.ts'
import { createSiteFileOf } from '../site-code.ts'

type Change = Pick<ChangedContent, 'base' | 'edits' | 'before' | 'signal'>

type NewInclude = Include & { readonly path: string }

const decoder = new TextDecoder()

/** Files that no generator reads as text. Their bytes may look like a directive. */
const isPicture = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|webm|mov|ogg|zip|gz)$/i

/** Without those that a changed file had before. */
function findNewIncludes({ edits, before }: Change): readonly NewInclude[] {
  const siteFileOf = createSiteFileOf([])
  const known = new Set([...before.values()].flatMap((old) => findIncludes(decoder.decode(old)).map(({ url }) => url)))
  return edits.flatMap(({ path, content }) => {
    if (!content || isPicture.test(path) || siteFileOf(path).kind !== 'read') return []
    return findIncludes(decoder.decode(content)).flatMap((one) => (known.has(one.url) ? [] : [{ ...one, path }]))
  })
}

export function findRefusedIncludes(change: Change): readonly Finding[] {
  return findNewIncludes(change).flatMap(({ path, line, url, use }) => {
    const what = refusalOf(change, path, url, use)
    return what === undefined ? [] : [{ kind: 'content', path, line, message: `${use} ${what}`, remedy: null } as const]
  })
}

const refusals = {
  host: 'something from another site',
  outside: 'a file from outside the repository',
  secret: 'a file that may hold a secret',
} as const

function refusalOf({ base, edits }: Change, path: string, url: string, use: Include['use']): string | undefined {
  const target = resolveInclude(path, url)
  if (target.kind !== 'paths') return refusals[target.kind]
  // An absolute path is that of the site only if there is such a file.
  const { paths } = target
  const isThere = (one: string) =>
    base.entry(one) !== undefined || edits.some((edit) => edit.path === one && edit.content)
  return use === 'inserts' && url.startsWith('/') && !paths.some(isThere)
    ? 'a file from outside the repository'
    : undefined
}

export async function findShownIncludes(change: Change): Promise<readonly Finding[]> {
  const added = findNewIncludes(change).filter(({ path, url, use }) => {
    return use === 'inserts' && refusalOf(change, path, url, use) === undefined
  })
  if (added.length === 0) return []
  const known = await findIncludedPaths(change)
  return added.flatMap(({ path, line, url }) => {
    const target = resolveInclude(path, url)
    const paths = target.kind === 'paths' ? target.paths : []
    if (paths.some((one) => known.has(one) || known.has(`${posix.dirname(one)}/`))) return []
    const message = `inserts ${inlineCode(url)}, from a folder that no page of the base inserts from`
    return [{ kind: 'include', path, line, message, remedy: null }] as const
  })
}

const directive = String.raw`\{\{#|8<-|<<<|@include:|\{%|\{!|\{\{[<%]|\.\. [a-z-]+::|:(file|path|source):|\{(literal)?include\}|^include::`
const pages = ['md', 'mdx', 'markdown', 'rst', 'adoc', 'asciidoc', 'qmd', 'html', 'txt'].map((one) => `**/*.${one}`)
/** More files say nothing more about where a site inserts from. */
const mostPages = 200

/** The files of the base that its pages insert, and their folders, which end with a slash. */
export async function findIncludedPaths({
  base,
  signal,
}: Pick<Change, 'base' | 'signal'>): Promise<ReadonlySet<string>> {
  const query = { pattern: directive, syntax: 'regex', ignoreCase: false, globs: pages, limit: 2_000 } as const
  const found = new Set<string>()
  const paths = new Set((await search(base, query, signal)).map(({ path }) => path))
  for (const path of [...paths].slice(0, mostPages)) {
    const bytes = await base.read(path).catch(() => undefined)
    for (const { url, use } of bytes ? findIncludes(decoder.decode(bytes)) : []) {
      if (use === 'copies') continue
      const target = resolveInclude(path, url)
      for (const one of target.kind === 'paths' ? target.paths : []) {
        if (base.entry(one) === undefined) continue
        found.add(one)
        found.add(`${posix.dirname(one)}/`)
      }
    }
  }
  return found
}
