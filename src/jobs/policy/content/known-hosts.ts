// Says whether readers of the base already get to a host: a page or the configuration of the site names it. Comments, notes
// for agents and files that readers never see do not count, because anyone may have written them.

import { createSiteFileOf } from '../site-code.ts'
import { findProtection } from '../protected.ts'
import type { ChangedContent } from './change.ts'
import { search } from './known.ts'
import { createKindOf } from './read/kinds.ts'

const endings = 'md mdx markdown rst adoc html htm svg css json yml yaml toml js ts mjs mts cjs py ipynb qmd org'.split(
  ' ',
)
const files = endings.map((ending) => `**/*.${ending}`)
/** A host on more pages would have been found on the first ones. */
const mostFiles = 30

const comments = /<!--[^]*?(?:-->|$)|\{\/\*[^]*?\*\/\}|\/\*[^]*?\*\//g
const lineComment = /(?<=^|\s)#(?![\w-]*["']).*$/gm
const codeComment = /(?<=^|[\s;,{}()])\/\/.*$/gm

/** `place`: a host, or a host and the first part of a path. */
export async function isHostInBase(
  { base, signal }: Pick<ChangedContent, 'base' | 'signal'>,
  place: string,
): Promise<boolean> {
  const name = place.replaceAll(/[^\p{L}\p{N}-]/gu, String.raw`\$&`)
  const pattern = `(^|[^[:alnum:].-])${name}($|[^[:alnum:]._-])`
  const query = { pattern, syntax: 'regex', ignoreCase: true, globs: files, limit: 1_000 } as const
  const paths = new Set((await search(base, query, signal)).map(({ path }) => path))
  if (paths.size === 0) return false
  const isRead = createIsRead(base.entries().map(({ path }) => path))
  const named = new RegExp(
    `(?:^|[^a-z0-9.-])${place.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?:$|[^a-z0-9._-])`,
    'i',
  )
  for (const path of [...paths].filter(isRead).slice(0, mostFiles)) {
    const bytes = await base.read(path).catch(() => undefined)
    if (bytes && named.test(withoutComments(path, new TextDecoder().decode(bytes)))) return true
  }
  return false
}

/** Whether readers, or the build on their behalf, read the file. */
function createIsRead(paths: readonly string[]): (path: string) => boolean {
  const siteFileOf = createSiteFileOf(paths)
  const kindOf = createKindOf(paths)
  return (path) => {
    const { kind } = siteFileOf(path)
    if (kind === 'settings' || kind === 'script') return true
    return kind === 'read' && kindOf(path) !== undefined && findProtection(path) === undefined
  }
}

function withoutComments(path: string, text: string): string {
  if (/\.(?:ya?ml|toml|py)$/i.test(path)) return text.replaceAll(lineComment, '')
  if (/\.[cm]?[jt]s$/i.test(path)) return text.replaceAll(comments, '').replaceAll(codeComment, '')
  return text.replaceAll(comments, '')
}
