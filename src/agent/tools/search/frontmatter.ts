// Finds the pages whose frontmatter has a field, or lacks it, without reading them: two searches give the lines of the
// fences and those that name the field.

import { createGlobMatcher } from '../../../docs-syntax/glob.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { escapePattern } from '../../../lib/plain-text.ts'
import type { Files, SearchMatch } from '../../workspace.ts'

type Question = { readonly field: string; readonly without: boolean; readonly isWanted: (path: string) => boolean }
type Answer = { readonly found: readonly SearchMatch[]; readonly pages: number; readonly truncated: boolean }

const pages = ['**/*.md', '**/*.mdx', '**/*.markdown']
const limit = 200_000

/** Pages without the field are matches of line 0. A field with an empty value counts as missing. */
export async function findByField(files: Files, question: Question, signal: AbortSignal): Promise<Answer> {
  const { field, without, isWanted } = question
  const isPage = createGlobMatcher(pages)
  const all = (await files.list()).filter(
    ({ path, kind }) => kind === 'file' && isPage(path) && isPagePath(path) && isWanted(path),
  )
  const ask = async (pattern: string) => {
    const query = { pattern, syntax: 'regex', ignoreCase: false, globs: pages, limit } as const
    const { matches, truncated } = await files.search(query, signal)
    return { byPath: Map.groupBy(matches, ({ path }) => path), truncated }
  }
  const name = escapePattern(field)
  const fences = await ask('^(\ufeff)?(---|\\+\\+\\+)[ \t]*$')
  const named = await ask(`^["']?${name}["']?[ \t]*[:=]`)
  const found = all.flatMap(({ path }): SearchMatch[] => {
    const [first, second] = fences.byPath.get(path) ?? []
    const end = first?.line === 1 ? (second?.line ?? 0) : 0
    const line = named.byPath.get(path)?.find((match) => match.line < end && !isBlank(match.text))
    if (without) return line ? [] : [{ path, line: 0, text: '' }]
    return line ? [line] : []
  })
  return { found, pages: all.length, truncated: fences.truncated || named.truncated }
}

function isBlank(text: string): boolean {
  return /^[^:=]*[:=]\s*(?:""|''|~|null)\s*$/.test(text)
}
