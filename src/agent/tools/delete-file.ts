// The tool `delete_file`: deletes a file and, on request, the links and navigation entries that name it.

import { z } from 'zod'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { fitLines, pathField, readDescription, refuse, showPath } from './result.ts'
import { describeChanges, splitByRefusal, writeChanges } from './changes.ts'
import { findReferences } from './links/references.ts'
import { suggestPaths } from './suggest.ts'
import { unlinkFile } from './links/unlink.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'

const input = z.object({
  path: pathField('The file, with its extension.'),
  removeLinks: z.boolean().optional().describe('Remove links to it and its navigation entries; default: false.'),
})

type Input = z.infer<typeof input>

export function createDeleteFileTool(): Tool<Input> {
  return { name: 'delete_file', description: readDescription('delete-file', import.meta.url), input, run: deleteFile }
}

async function deleteFile({ path, removeLinks = false }: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context
  if (!(await workspace.read(path)))
    return refuse(`There is no file ${showPath(path)}.${await suggestPaths(workspace, path)}`)
  const { isPartial, ...all } = await findReferences(path, context)
  const { found, kept } = splitByRefusal(workspace, removeLinks ? all.found : [])
  const unlinked = removeLinks ? found.map((one) => unlinkFile(one)) : []
  await workspace.remove(path)
  await writeChanges(workspace, unlinked)
  const remaining = removeLinks
    ? unlinked.map(({ file, remainingLines }) => ({ file, lines: remainingLines }))
    : all.found.map(({ file, references }) => {
        const starts = lineStarts(file.text)
        return { file, lines: references.map(({ start }) => lineAt(starts, start)) }
      })
  const notes = remaining
    .filter(({ lines }) => lines.length > 0)
    .map(({ file, lines }) => `${showPath(file.path)}: still names it at ${showLines(lines)}`)
  const { lines, facts } = describeChanges(`deleted ${showPath(path)}`, unlinked, isPartial)
  return { text: fitLines([...lines, ...notes, ...kept]).join('\n'), facts }
}

function showLines(lines: readonly number[]): string {
  return `line${lines.length === 1 ? '' : 's'} ${[...new Set(lines)].join(', ')}`
}
