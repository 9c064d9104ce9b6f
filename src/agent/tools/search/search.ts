// The tool `search`: finds lines, files with or without a text, and pages by a field of their frontmatter. Each call
// searches the workspace once. Paging is done here. A question that may be misread is refused, never answered with
// "nothing found".

import { z } from 'zod'
import { createSelector, escapeGlob, type Selection, toSelection } from '../../../docs-syntax/glob.ts'
import { count, fitLines, fromOffset, readDescription, refuse, showPath } from '../result.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import { factsOfPlace, filesOf, noSources, placeOfGlobs, withinSource } from '../../sources.ts'
import type { Files, SearchMatch, SearchQuery } from '../../workspace.ts'
import { findByField } from './frontmatter.ts'
import { isGenerated } from './generated.ts'
import { showAround, showFiles, showMatch } from './show.ts'

const defaultLimit = 100
const defaultFiles = 1000
const maxMatches = 200_000
/** Generated files that the search of git leaves out by name. */
const mostHidden = 50

const flag = () => z.boolean().optional()
const input = z.object({
  pattern: z.string().min(1).max(1000).optional(),
  regex: flag(),
  ignoreCase: flag(),
  glob: z.string().max(500).optional(),
  exclude: z.string().max(500).optional(),
  filesOnly: flag(),
  without: flag(),
  frontmatter: z.string().min(1).max(100).optional(),
  context: z.int().min(0).max(10).optional(),
  limit: z.int().min(1).max(2000).optional(),
  offset: z.int().min(0).max(100_000).optional(),
})

type Input = z.infer<typeof input>

export function createSearchTool(): Tool<Input> {
  return { name: 'search', description: readDescription('search', import.meta.url), input, run: search }
}

async function search(query: Input, context: ToolContext): Promise<ToolResult> {
  const { pattern, frontmatter, without = false, filesOnly = false, offset = 0 } = query
  if ((pattern === undefined) === (frontmatter === undefined)) return refuse('Give either pattern or frontmatter.')
  if (/[\n\r\0]/.test(pattern ?? frontmatter ?? '')) return refuse('The pattern must be a single line without NUL.')
  const isFiles = filesOnly || without || frontmatter !== undefined
  const limit = query.limit ?? (isFiles ? defaultFiles : defaultLimit)
  const page = { offset, limit, enough: isFiles ? maxMatches : offset + limit + 1 }
  const { workspace, signal, sources = noSources } = context
  const selection = withinSource(toSelection(query.glob, query.exclude), sources)
  const place = placeOfGlobs(selection, sources)
  const source = filesOf(place, workspace)
  const found = await find({ ...query, selection }, { files: source, signal }, page)
  const files = isFiles && frontmatter === undefined ? showFiles(found.matches) : undefined
  const wanted = found.matches.slice(offset, offset + limit)
  const around = query.context ?? 0
  const lines =
    files?.slice(offset, offset + limit) ??
    (around > 0 ? await showAround(source, wanted, around) : wanted.map(showLine))
  const all = files?.length ?? found.matches.length
  const result = describe({ ...found, isFiles, offset, all, lines: fitLines(lines) })
  return place.source ? { ...result, facts: { ...result.facts, ...factsOfPlace(place) } } : result
}

/** A page without the field has no line. */
function showLine(match: SearchMatch): string {
  return match.line === 0 ? showPath(match.path) : showMatch(match)
}

type Page = { readonly offset: number; readonly limit: number; readonly enough: number }
type Found = {
  readonly matches: readonly SearchMatch[]
  readonly truncated: boolean
  /** How many files were searched; known if nothing was found. */
  readonly pages: number | undefined
  /** Matching lines of generated files, which are not shown. */
  readonly counted: readonly string[]
  readonly notSearched?: number | undefined
}

type Place = { readonly files: Files; readonly signal: AbortSignal }

async function find(
  query: Input & { readonly selection: Selection },
  { files, signal }: Place,
  { enough }: Page,
): Promise<Found> {
  const { pattern = '', regex = false, ignoreCase = false, without = false, frontmatter: field, selection } = query
  const isWanted = createSelector(selection)
  if (field !== undefined) {
    const { found, pages, truncated } = await findByField(files, { field, without, isWanted }, signal)
    return { matches: found, truncated, pages, counted: [] }
  }
  const fitting = (await files.list()).filter(({ path, kind }) => kind === 'file' && isWanted(path))
  const generated = fitting.filter(isGenerated).map(({ path }) => escapeGlob(path))
  // A call that asks for generated files only gets their lines.
  const hidden = generated.length < fitting.length && !query.filesOnly && !without ? generated.slice(0, mostHidden) : []
  const syntax = regex ? 'regex' : 'literal'
  const exclude = [...selection.unwanted, ...hidden]
  const asked: SearchQuery = { pattern, syntax, ignoreCase, globs: selection.wanted, exclude, without, limit: enough }
  const { matches, truncated, notSearched } = await files.search(asked, signal)
  const counted = hidden.length === 0 ? [] : await countHidden(files, { ...asked, globs: hidden }, signal)
  return { matches, truncated, pages: fitting.length, counted, notSearched }
}

async function countHidden(files: Files, asked: SearchQuery, signal: AbortSignal): Promise<readonly string[]> {
  const { matches } = await files.search({ ...asked, exclude: [], limit: maxMatches }, signal)
  return showFiles(matches)
}

type Answer = Found & {
  readonly isFiles: boolean
  readonly offset: number
  readonly all: number
  readonly lines: readonly string[]
}

function describe({
  matches,
  truncated,
  pages,
  counted,
  notSearched = 0,
  isFiles,
  offset,
  all,
  lines,
}: Answer): ToolResult {
  const hidden = [
    ...(counted.length === 0 ? [] : [`[in generated files, not shown: ${counted.join('; ')}]`]),
    ...(notSearched === 0 ? [] : [`[not searched: ${count(notSearched, 'file')} whose content is not fetched]`]),
  ]
  if (matches.length === 0) {
    const where =
      pages === undefined ? '' : pages === 0 ? ': no file fits glob and exclude' : ` in ${count(pages, 'file')}`
    return { text: [`[nothing found${where}]`, ...hidden].join('\n') }
  }
  const noun = isFiles ? 'files' : 'matches'
  if (lines.length === 0) return { text: `[no ${noun} beyond offset ${offset}]` }
  const last = offset + lines.length
  const isWhole = offset === 0 && last === all && !truncated
  const total = isFiles ? ` of ${all}` : ''
  const range = isWhole ? count(last, isFiles ? 'file' : 'match') : `${noun} ${offset + 1}-${last}${total}`
  const next = last < all || (truncated && !isFiles) ? last : undefined
  return { text: [`[${range}${sequel(next, truncated)}]`, ...lines, ...hidden].join('\n'), ...fromOffset(next) }
}

function sequel(next: number | undefined, truncated: boolean): string {
  if (next !== undefined) return `; more follow, read on with offset ${next}`
  return truncated ? '; the search stopped early, there may be more files: narrow it with glob' : ''
}
