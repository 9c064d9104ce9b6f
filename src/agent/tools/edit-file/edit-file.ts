// The tool `edit_file`: applies all edits in one text file, or changes nothing. It never matches
// approximately: an edit that does not match gets an error with the closest place.

import { z } from 'zod'
import { parsePage } from '../../../docs-syntax/markdown.ts'
import { applySplices } from '../../../docs-syntax/text.ts'
import { placeEdits } from './match.ts'
import { planAdditions } from './move-text.ts'
import { changedLines, showLines } from '../show-lines.ts'
import { count, findTooLong, pathField, readDescription, refuse, showPath } from '../result.ts'
import { suggestPaths } from '../suggest.ts'
import { encodeText, readTextFile, refuseText, type TextFile } from '../text-file.ts'
import { type FileWrite, writeTogether } from '../write-together.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import type { Splice } from '../../../docs-syntax/text.ts'

const maxEdits = 500
const maxEditCharacters = 200_000
const maxLinesNamed = 20

const editText = z.string().max(maxEditCharacters).optional()
const lineNumber = z.int().min(1).max(100_000_000).optional()

const input = z.object({
  path: pathField(),
  edits: z
    .array(
      z.object({
        oldText: editText,
        all: z.boolean().optional(),
        section: z.string().min(1).max(500).optional(),
        startLine: lineNumber,
        endLine: lineNumber,
        first: z.string().max(500).optional(),
        last: z.string().max(500).optional(),
        newText: editText,
        moveTo: z.string().min(1).max(1000).optional(),
      }),
    )
    .min(1)
    .max(maxEdits),
})

type Input = z.infer<typeof input>

export function createEditFileTool(): Tool<Input> {
  return { name: 'edit_file', description: readDescription('edit-file', import.meta.url), input, run: editFile }
}

async function editFile({ path, edits }: Input, { workspace }: ToolContext): Promise<ToolResult> {
  const file = await readTextFile(workspace, path)
  if ('problem' in file) {
    return refuse(file.problem === 'missing' ? file.reason + (await suggestPaths(workspace, path)) : file.reason)
  }
  const placed = placeEdits(path, file.text, edits)
  if ('problems' in placed) return refuse(`No edit was made in ${showPath(path)}.\n${placed.problems.join('\n')}`)
  const text = applySplices(file.text, placed.splices)
  const problem = findProblem(file, text, edits)
  if (problem !== undefined) return refuse(`No edit was made in ${showPath(path)}: ${problem}`)
  const additions = await planAdditions(workspace, { path, file, moved: placed.moved })
  if ('problem' in additions) return refuse(`No edit was made in ${showPath(path)}: ${additions.problem}`)
  const content = encodeText(text, file.hasMark)
  await writeTogether(workspace, [...additions.writes, { path, content }])
  return { text: describe({ path, text, edits, splices: placed.splices, added: additions.writes }) }
}

function findProblem(file: TextFile, text: string, edits: Input['edits']): string | undefined {
  const unwritable = refuseText(text)
  if (unwritable !== undefined) return unwritable
  const tooLong = findTooLong(file.text, text)
  if (tooLong !== undefined) return `it ${tooLong}.`
  if (!edits.some(({ section }) => section !== undefined) || parsePage(file.path, file.text).problem) return undefined
  const { problem } = parsePage(file.path, text)
  if (problem === undefined) return undefined
  return `without that section the page could not be read (line ${problem.line}: ${problem.message}). Use oldText.`
}

type Done = {
  readonly path: string
  readonly text: string
  readonly edits: Input['edits']
  readonly splices: readonly Splice[]
  readonly added: readonly (FileWrite & { readonly links: number })[]
}

function describe({ path, text, edits, splices, added }: Done): string {
  const ranges = changedLines(text, splices)
  const names = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  const more = names.length > maxLinesNamed ? ` and ${names.length - maxLinesNamed} more places` : ''
  const lines = `lines ${names.slice(0, maxLinesNamed).join(', ')}${more}`
  const places = splices.length === edits.length ? '' : ` in ${count(splices.length, 'place')}`
  const moved = added
    .map(({ path: to, links }) => `; moved to the end of ${showPath(to)}${linksUpdated(links)}`)
    .join('')
  const head = `[changed ${showPath(path)}: ${lines}; ${count(edits.length, 'edit')} made${places}${moved}]`
  return [head, ...showLines(text, ranges)].join('\n')
}

function linksUpdated(links: number): string {
  return links === 0 ? '' : `, with ${count(links, 'link')} updated`
}
