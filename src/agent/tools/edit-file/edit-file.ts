// The tool `edit_file`: applies all exact replacements in one text file, or changes nothing. It never matches
// approximately: an edit that does not match gets an error with the closest place.

import { z } from 'zod'
import { applySplices, lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import { type Edit, placeEdits } from './match.ts'
import { count, maxContentCharacters, pathField, readDescription, refuse, showPath } from '../result.ts'
import { suggestPaths } from '../suggest.ts'
import { encodeText, readTextFile, refuseText } from '../text-file.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import type { Splice } from '../../../docs-syntax/text.ts'

const maxEdits = 500
const maxEditCharacters = 200_000
const maxLinesNamed = 20

const input = z.object({
  path: pathField('The file, relative to the root of the repository.'),
  edits: z
    .array(
      z.object({
        oldText: z
          .string()
          .max(maxEditCharacters)
          .describe('The text as it is now; must occur exactly once in the file.'),
        newText: z.string().max(maxEditCharacters).describe('The text that replaces it; empty to delete.'),
      }),
    )
    .min(1)
    .max(maxEdits)
    .describe('All looked up in the file as it is before the call; they must not overlap.'),
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
  const placed = placeEdits(file.text, edits)
  if ('problems' in placed) return refuse(`No edit was made in ${showPath(path)}.\n${placed.problems.join('\n')}`)
  const text = applySplices(file.text, placed.splices)
  const unwritable = refuseText(text)
  if (unwritable) return refuse(`No edit was made in ${showPath(path)}. ${unwritable}`)
  if (text.length > Math.max(maxContentCharacters, file.text.length))
    return refuse(`No edit was made in ${showPath(path)}: it would have more than ${maxContentCharacters} characters.`)
  await workspace.write(path, encodeText(text, file.hasMark))
  return { text: `[changed ${showPath(path)}: ${showLines(text, placed.splices)}; ${describeEdits(edits)}]` }
}

function describeEdits(edits: readonly Edit[]): string {
  return `${count(edits.length, 'edit')} made`
}

/** Shows the lines that the splices changed, as they are after the change. */
function showLines(text: string, splices: readonly Splice[]): string {
  const starts = lineStarts(text)
  let moved = 0
  const names = splices
    .toSorted((a, b) => a.start - b.start)
    .map((splice) => {
      const first = lineAt(starts, splice.start + moved)
      const last = lineAt(starts, splice.start + moved + splice.text.length)
      moved += splice.text.length - (splice.end - splice.start)
      return first === last ? `${first}` : `${first}-${last}`
    })
  const different = [...new Set(names)]
  const more = different.length > maxLinesNamed ? ` and ${different.length - maxLinesNamed} more places` : ''
  return `lines ${different.slice(0, maxLinesNamed).join(', ')}${more}`
}
