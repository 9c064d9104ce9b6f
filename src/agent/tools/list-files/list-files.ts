// The tool `list_files`: lists files with their names and sizes, or folders with their number of files; it reads no
// content.

import { z } from 'zod'
import { createSelector, toSelection } from '../../../docs-syntax/glob.ts'
import { chooseDepth, rootOf, showEntry, showItem, sumFolders } from './folders.ts'
import { openSites } from '../links/open-sites.ts'
import { count, fitLines, fromOffset, readDescription, showPath } from '../result.ts'
import { outlinesOf } from '../../../sites/site-map.ts'
import { factsOfPlace, filesOf, noSources, placeOfGlobs, withinSource } from '../../sources.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'

const defaultLimit = 500
/** A call without arguments lists so many files; of more it shows the folders. */
const mostListed = 200

const input = z.object({
  glob: z.string().max(500).optional(),
  exclude: z.string().max(500).optional(),
  depth: z.int().min(1).max(20).optional(),
  limit: z.int().min(1).max(2000).optional(),
  offset: z.int().min(0).max(10_000_000).optional(),
})

type Input = z.infer<typeof input>

export function createListFilesTool(): Tool<Input> {
  return { name: 'list_files', description: readDescription('list-files', import.meta.url), input, run: listFiles }
}

async function listFiles(query: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace, sources = noSources } = context
  const { glob, exclude, limit, offset = 0 } = query
  const selection = withinSource(toSelection(glob, exclude), sources)
  const isWanted = createSelector(selection)
  const place = placeOfGlobs(selection, sources)
  const files = filesOf(place, workspace)
  const wanted = (await files.list()).filter((entry) => isWanted(entry.path))
  const isBare = Object.values(query).every((value) => value === undefined)
  const depth = query.depth ?? (isBare && wanted.length > mostListed ? chooseDepth(wanted) : undefined)
  const all = depth === undefined ? wanted.map(showEntry) : sumFolders(wanted, rootOf(glob), depth).map(showItem)
  const lines = fitLines(all.slice(offset, offset + (limit ?? defaultLimit)))
  const title = head({ files: wanted.length, total: all.length, offset, shown: lines.length, depth, query })
  const last = offset + lines.length
  const { facts } = fromOffset(lines.length > 0 && last < all.length ? last : undefined)
  // For programs; a model reads of the sites in its brief.
  const names = sources.present.map(({ name }) => name)
  const named = names.length > 0 ? { sources: names } : {}
  const sites = isWhole(query) ? { sites: outlinesOf((await openSites(context)).sites), ...named } : {}
  return { text: [title, ...lines].join('\n'), facts: { ...facts, ...factsOfPlace(place), ...sites } }
}

/** The first part of a list of all files. */
function isWhole({ glob, exclude, depth, offset }: Input): boolean {
  return [glob, exclude, depth, offset].every((value) => value === undefined)
}

type List = {
  readonly files: number
  /** Lines in all. */
  readonly total: number
  readonly offset: number
  readonly shown: number
  readonly depth: number | undefined
  readonly query: Input
}

function head({ files, total, offset, shown, depth, query: { glob, exclude } }: List): string {
  const fitting = glob === undefined ? '' : ` fit ${showPath(glob)}`
  const without = exclude === undefined ? '' : ` without ${showPath(exclude)}`
  const kind = depth === undefined ? '' : `; folders at depth ${depth} are summed up, list one with glob`
  const noun = depth === undefined ? 'file' : 'line'
  const whole = `${count(files, 'file')}${fitting}${without}`
  if (shown === total) return `[${whole}${kind}]`
  if (shown === 0) return `[no ${noun} beyond offset ${offset}; ${whole}]`
  const last = offset + shown
  const next = last < total ? `; read on with offset ${last}` : ''
  return `[${noun}s ${offset + 1}-${last} of ${total}${fitting}${without}${kind}${next}]`
}

/** Returns the path in a line of the list; undefined if the entry is not a file. */
export function fileOfLine(line: string): string | undefined {
  const [path, size = ''] = line.split('\t')
  return /^\d+$/.test(size) ? path : undefined
}
