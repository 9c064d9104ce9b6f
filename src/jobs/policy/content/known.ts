// Looks for content in all pages of the base: what readers already get from one page is not new on another.

import type { SearchQuery } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import type { ChangedContent, NewSign } from './change.ts'
import type { Content, KindOf } from './read/kinds.ts'
import type { Sign } from './sign.ts'

/** Reads the signs of the kinds that are asked for. */
export type ReadSigns = (content: Content) => Promise<readonly Sign[]>
export type SignReader = { readonly kindOf: KindOf; readonly read: ReadSigns }

const endings = [
  'md',
  'mdx',
  'markdown',
  'html',
  'htm',
  'svg',
  'css',
  'json',
  'yml',
  'yaml',
  'toml',
  'rst',
  'adoc',
  'ipynb',
  'qmd',
  'xml',
]
const files = [...endings.map((ending) => `**/*.${ending}`), '**/*config*.*']
/** A text in more files is usual there. */
const mostFiles = 10

/** Whether a page of the base has the sign. The text alone does not say so: it may be code for readers there. */
export async function findInBase(
  { base, signal }: ChangedContent,
  { source, sign }: NewSign,
  { kindOf, read }: SignReader,
): Promise<boolean> {
  if (source.trim() === '') return false
  const query = { pattern: source, syntax: 'literal', ignoreCase: false, globs: files, limit: 100 } as const
  const matches = await search(base, query, signal)
  const paths = [...new Set(matches.map(({ path }) => path))].slice(0, mostFiles)
  for (const path of paths) {
    const reading = kindOf(path)
    const bytes = reading && (await base.read(path))
    if (!bytes) continue
    const signs = await read({ path, text: new TextDecoder().decode(bytes), ...reading })
    if (signs.some(({ key }) => key === sign.key)) return true
  }
  return false
}

/** A text that cannot be searched for counts as new. */
export async function search(base: ChangedContent['base'], query: SearchQuery, signal: AbortSignal) {
  try {
    return (await base.search(query, signal)).matches
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_input') return []
    throw error
  }
}
