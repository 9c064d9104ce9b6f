// The tool `delete_file`: deletes a file and, on request, the links and navigation entries that name it.

import { z } from 'zod'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { fitLines, pathField, readDescription, refuse, showPath } from './result.ts'
import { describeChanges, splitByRefusal, writeChanges } from './changes.ts'
import { describeTranslations } from './links/left-behind.ts'
import { describeMentions, findMentions } from './links/mentions.ts'
import { type FileReferences, findReferences } from './links/references.ts'
import { type Unlinked, unlinkFile } from './links/unlink.ts'
import { suggestPaths } from './suggest.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'

const input = z.object({
  path: pathField(),
  removeLinks: z.boolean().optional(),
})

type Input = z.infer<typeof input>

export function createDeleteFileTool(): Tool<Input> {
  return { name: 'delete_file', description: readDescription('delete-file', import.meta.url), input, run: deleteFile }
}

async function deleteFile({ path, removeLinks = false }: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context
  if (!(await workspace.read(path)))
    return refuse(`There is no file ${showPath(path)}.${await suggestPaths(workspace, path)}`)
  const { isPartial, opened, page, ...all } = await findReferences(path, context)
  const { found, kept, keptPaths } = splitByRefusal(workspace, removeLinks ? all.found : [])
  const unlinked = removeLinks ? found.map((one) => unlinkFile(one)) : []
  await workspace.remove(path)
  await writeChanges(workspace, unlinked)
  const remaining = (removeLinks ? unlinked.map(toRemaining) : all.found.map(toLines)).filter(
    ({ lines }) => lines.length > 0,
  )
  const listed = remaining.flatMap((one) => one.lines.map((line) => `${one.path}:${line}`))
  const mentions = await findMentions(page, { opened, skip: new Set([...keptPaths, ...listed]) }, context)
  const still = remaining.map((one) => `${showPath(one.path)}: still names it at ${showLines(one.lines)}`)
  const notes = [...still, ...kept, ...describeMentions(mentions), ...describeTranslations(path, opened)]
  const { lines, facts } = describeChanges(`deleted ${showPath(path)}`, unlinked, { isPartial, notes })
  return { text: fitLines(lines).join('\n'), facts }
}

type Remaining = { readonly path: string; readonly lines: readonly number[] }

function toRemaining({ file, remainingLines }: Unlinked): Remaining {
  return { path: file.path, lines: remainingLines }
}

function toLines({ file, references }: FileReferences): Remaining {
  const starts = lineStarts(file.text)
  return { path: file.path, lines: references.map(({ start }) => lineAt(starts, start)) }
}

function showLines(lines: readonly number[]): string {
  return `line${lines.length === 1 ? '' : 's'} ${[...new Set(lines)].join(', ')}`
}
