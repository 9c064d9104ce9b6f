// The links of the documentation that lead below the allowed prefixes of a project.

import { parsePage, isPagePath } from '../../../docs-syntax/markdown.ts'
import { readHtml } from '../../../docs-syntax/web/html-text.ts'
import type { Tree } from '../../../git/types.ts'
import { isBelow, parsePageAddress } from '../../../lib/outbound/pages/page-address.ts'

/** The most lines with a host of a prefix that are looked up. */
const mostLines = 20_000
const mostPages = 2_000
/** A longer file is no page that a person wrote. */
const maxBytes = 1_000_000

/** `tree`: the base. Returns addresses in normal form. Throws the reason of `signal`. */
export async function findDocsLinks(
  tree: Pick<Tree, 'search' | 'read' | 'entry'>,
  prefixes: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = new Set<string>()
  for (const host of new Set(prefixes.map((prefix) => new URL(prefix).host))) {
    const query = { pattern: host, syntax: 'literal', ignoreCase: true, globs: [], limit: mostLines } as const
    const { matches } = await tree.search(query, signal)
    for (const { path } of matches) if (isPagePath(path) || isHtml(path)) paths.add(path)
  }
  const found = new Set<string>()
  for (const path of [...paths].slice(0, mostPages)) {
    signal.throwIfAborted()
    for (const link of await linksOf(tree, path)) {
      const url = parsePageAddress(link)
      if (url && prefixes.some((prefix) => isBelow(prefix, url))) found.add(url.href)
    }
  }
  return found
}

function isHtml(path: string): boolean {
  return /\.html?$/i.test(path)
}

async function linksOf(tree: Pick<Tree, 'read' | 'entry'>, path: string): Promise<readonly string[]> {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file' || entry.size > maxBytes) return []
  const text = new TextDecoder().decode(await tree.read(path))
  if (isHtml(path)) return readHtml(text, 'about:blank').links
  return parsePage(path, text).links.map(({ url }) => url)
}
