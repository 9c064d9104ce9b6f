// The tool `list_files`: lists files with their names and sizes; it reads no content.

import { z } from 'zod'
import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { count, fitLines, fromOffset, readDescription, showPath } from './result.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'
import type { WorkspaceEntry } from '../workspace.ts'

const defaultLimit = 500

const input = z.object({
  glob: z.string().max(500).optional().describe('Only paths that fit, such as `guides/**`. All files without it.'),
  limit: z.int().min(1).max(2000).optional().describe(`How many at most; ${defaultLimit} without it.`),
  offset: z.int().min(0).max(10_000_000).optional().describe('How many to skip, to read on in a long list.'),
})

type Input = z.infer<typeof input>

export function createListFilesTool(): Tool<Input> {
  return { name: 'list_files', description: readDescription('list-files', import.meta.url), input, run: listFiles }
}

async function listFiles({ glob, limit, offset = 0 }: Input, { workspace }: ToolContext): Promise<ToolResult> {
  const isWanted = glob === undefined ? () => true : createGlobMatcher(toGlobs(glob))
  const wanted = (await workspace.list()).filter((entry) => isWanted(entry.path))
  const lines = fitLines(wanted.slice(offset, offset + (limit ?? defaultLimit)).map((entry) => showEntry(entry)))
  const text = [head({ total: wanted.length, offset, shown: lines.length, glob }), ...lines].join('\n')
  const last = offset + lines.length
  return { text, ...fromOffset(lines.length > 0 && last < wanted.length ? last : undefined) }
}

function head(list: { total: number; offset: number; shown: number; glob: string | undefined }): string {
  const { total, offset, shown, glob } = list
  const fitting = glob === undefined ? '' : ` fit ${showPath(glob)}`
  if (shown === total) return `[${count(total, 'file')}${fitting}]`
  const last = offset + shown
  const next = last < total ? `; read on with offset ${last}` : ''
  return shown === 0
    ? `[no file beyond offset ${offset}; ${count(total, 'file')}${fitting}]`
    : `[files ${offset + 1}-${last} of ${total}${fitting}${next}]`
}

function showEntry({ path, kind, size }: WorkspaceEntry): string {
  return `${showPath(path)}\t${kind === 'file' ? size : kind}`
}

/** Returns the path in a line of the list; undefined if the entry is not a file. */
export function fileOfLine(line: string): string | undefined {
  const [path, size = ''] = line.split('\t')
  return Number.isInteger(Number.parseInt(size, 10)) ? path : undefined
}
