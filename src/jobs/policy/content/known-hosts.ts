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

/** Bounded, because a file may have many beginnings and no end. */
const comments = /<!--[^]*?(?:-->|$)|\{\/\*[^]{0,5000}?\*\/\}|\/\*[^]{0,5000}?\*\//g
const lineComment = /(?<=^|\s)#(?![\w-]*["']).*$/gm
const codeComment = /(?<=^|[\s;,{}()])\/\/.*$/gm
const templateComments = /\{%-?\s{0,9}comment\b[^]{0,5000}?endcomment\s{0,9}-?%\}|\{#[^]{0,2000}?#\}/g

/** Comments of a language of pages, besides those of HTML and templates. In a language without any, they are text. */
const ofPages: readonly (readonly [name: RegExp, comments: RegExp])[] = [
  // Definitions that no link uses, and lines of MyST.
  [/\.(?:mdx?|markdown|qmd)$/i, /^ {0,3}\[(?:\/\/|comment|[#._-])[^\]\n]{0,99}\]:[ \t]*(?:#|<#?>).*$|^%.*$/gim],
  [
    /\.rst$/i,
    /^([ \t]*)\.\.(?:[ \t]+(?![_[|]|[\w:+-]+::).*|[ \t]*)(?:\n|$)(?:\1[ \t]+\S.*(?:\n|$)|[ \t]*\n(?=\1[ \t]+\S))*/gm,
  ],
  [/\.adoc$/i, /^\/{4,}[ \t]*\n[^]*?^\/{4,}[ \t]*$|^\/\/(?!\/).*$/gm],
  [/\.org$/i, /^[ \t]*#(?:[ \t].*)?$/gm],
]
const frontmatter = /^\uFEFF?(?:---|\+\+\+)[ \t]*\n[^]*?\n(?:---|\+\+\+)[ \t]*(?:\n|$)/

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

/** Readers of a site do not see the pages in folders of the forge and of tools. */
const hidden = /(?:^|\/)\.[^/]+\//

/** Whether readers, or the build on their behalf, read the file. */
function createIsRead(paths: readonly string[]): (path: string) => boolean {
  const siteFileOf = createSiteFileOf(paths)
  const kindOf = createKindOf(paths)
  return (path) => {
    const { kind } = siteFileOf(path)
    if (kind === 'settings' || kind === 'script') return true
    return kind === 'read' && !hidden.test(path) && kindOf(path) !== undefined && findProtection(path) === undefined
  }
}

function withoutComments(path: string, text: string): string {
  if (/\.(?:ya?ml|toml|py)$/i.test(path)) return text.replaceAll(lineComment, '')
  if (/\.[cm]?[jt]s$/i.test(path)) return text.replaceAll(comments, '').replaceAll(codeComment, '')
  const own = ofPages.find(([name]) => name.test(path))?.[1]
  const plain = text
    .replaceAll('\r\n', '\n')
    .replace(frontmatter, (head) => head.replaceAll(lineComment, ''))
    .replaceAll(comments, '')
    .replaceAll(templateComments, '')
  return own ? plain.replaceAll(own, '') : plain
}
