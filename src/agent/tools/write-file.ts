// The tool `write_file`: creates a text file, or replaces the whole content of one.

import { z } from 'zod'
import { dominantLineBreak, lineStarts, withLineFeeds } from '../../docs-syntax/text.ts'
import { count, maxContentCharacters, pathField, readDescription, refuse, showPath } from './result.ts'
import { encodeText, readTextFile, refuseText } from './text-file.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'

const input = z.object({
  path: pathField(),
  content: z.string().max(maxContentCharacters),
})

type Input = z.infer<typeof input>

export function createWriteFileTool(): Tool<Input> {
  return { name: 'write_file', description: readDescription('write-file', import.meta.url), input, run: writeFile }
}

async function writeFile({ path, content }: Input, { workspace }: ToolContext): Promise<ToolResult> {
  const unwritable = refuseText(content)
  if (unwritable) return refuse(`Nothing was written to ${showPath(path)}. ${unwritable}`)
  const old = await readTextFile(workspace, path)
  if ('problem' in old && old.problem !== 'missing') return refuse(`Nothing was written: ${old.reason}`)
  const existing = 'problem' in old ? undefined : old
  const text = existing ? withLineFeeds(content).text.replaceAll('\n', dominantLineBreak(existing.text)) : content
  if (existing?.text === text) return { text: `[${showPath(path)} has this content already]` }
  await workspace.write(path, encodeText(text, existing?.hasMark ?? false))
  const lines = text === '' ? 0 : lineStarts(text).length - (/[\n\r]$/.test(text) ? 1 : 0)
  return { text: `[${existing ? 'replaced' : 'made'} ${showPath(path)}: ${count(lines, 'line')}]` }
}
