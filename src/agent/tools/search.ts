// The tool `search`: finds the lines that contain a text. Each call searches the workspace once. Paging is done here.

import { z } from 'zod'
import { toGlobs } from '../../docs-syntax/glob.ts'
import { showInvisible } from '../../docs-syntax/text.ts'
import { count, countedLine, fitLines, fromOffset, readDescription, showPath } from './result.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'
import type { SearchMatch } from '../workspace.ts'

const defaultLimit = 100
const defaultFiles = 1000
const maxMatches = 200_000
const maxLineCharacters = 400

const input = z.object({
  pattern: z.string().min(1).max(1000).describe('What to look for; literal unless `regex` is set.'),
  regex: z
    .boolean()
    .optional()
    .describe('The pattern is a POSIX extended regular expression, matched a line at a time.'),
  ignoreCase: z.boolean().optional().describe('Upper and lower case are the same.'),
  glob: z.string().max(500).optional().describe('Only files that fit, such as `guides/**` or `*.mdx`.'),
  filesOnly: z
    .boolean()
    .optional()
    .describe('Return the files and the number of matching lines in each, not the lines.'),
  limit: z
    .int()
    .min(1)
    .max(2000)
    .optional()
    .describe(`How many at most; without it ${defaultLimit} lines or ${defaultFiles} files.`),
  offset: z.int().min(0).max(100_000).optional().describe('How many results to skip, to read on.'),
})

type Input = z.infer<typeof input>

export function createSearchTool(): Tool<Input> {
  return { name: 'search', description: readDescription('search', import.meta.url), input, run: search }
}

async function search(query: Input, { workspace, signal }: ToolContext): Promise<ToolResult> {
  const { pattern, regex = false, ignoreCase = false, glob, filesOnly = false, offset = 0 } = query
  if (/[\n\r\0]/.test(pattern)) return { text: 'The pattern must be a single line without NUL.', isError: true }
  const limit = query.limit ?? (filesOnly ? defaultFiles : defaultLimit)
  const globs = glob === undefined ? [] : toGlobs(glob)
  const syntax = regex ? 'regex' : 'literal'
  const enough = filesOnly ? maxMatches : offset + limit + 1
  const { matches, truncated } = await workspace.search({ pattern, syntax, ignoreCase, globs, limit: enough }, signal)
  const all = filesOnly ? showFiles(matches) : matches.map((match) => showMatch(match))
  const lines = fitLines(all.slice(offset, offset + limit))
  const last = offset + lines.length
  if (matches.length === 0) return { text: '[nothing found]' }
  const noun = filesOnly ? 'files' : 'matches'
  if (lines.length === 0) return { text: `[no ${noun} beyond offset ${offset}]` }
  const isWhole = offset === 0 && last === all.length && !truncated
  const total = filesOnly ? ` of ${all.length}` : ''
  const range = isWhole ? count(last, filesOnly ? 'file' : 'match') : `${noun} ${offset + 1}-${last}${total}`
  const next = last < all.length || (truncated && !filesOnly) ? last : undefined
  return { text: [`[${range}${sequel(next, truncated)}]`, ...lines].join('\n'), ...fromOffset(next) }
}

function sequel(next: number | undefined, truncated: boolean): string {
  if (next !== undefined) return `; more follow, read on with offset ${next}`
  return truncated ? '; the search stopped early, there may be more files: narrow it with glob' : ''
}

function showFiles(matches: readonly SearchMatch[]): string[] {
  const files = new Map<string, number>()
  for (const { path } of matches) files.set(path, (files.get(path) ?? 0) + 1)
  return Array.from(files, ([path, lines]) => countedLine(path, lines))
}

function showMatch({ path, line, text }: SearchMatch): string {
  const shown = showInvisible(text.replace(/\r$/, '')).replaceAll('\r', '\\r')
  const cut = shown.length > maxLineCharacters ? `${shown.slice(0, maxLineCharacters)}…` : shown
  return `${showPath(path)}:${line}: ${cut}`
}
