// The tool `changes`: the branch against its base, with what earlier runs published. It changes no files.

import { z } from 'zod'
import { createSelector, toSelection } from '../../../docs-syntax/glob.ts'
import { showInvisible } from '../../../docs-syntax/text.ts'
import { count, fitLines, fromOffset, readDescription, refuse, showPath } from '../result.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import type { BranchFile } from '../../workspace.ts'
import { startOf } from '../../../lib/plain-text.ts'

const mostFiles = 500
const mostLines = 600

const input = z.object({
  path: z.string().min(1).max(1000).optional(),
  glob: z.string().max(500).optional(),
  offset: z.int().min(0).max(1_000_000).optional(),
})

type Input = z.infer<typeof input>

export function createChangesTool(): Tool<Input> {
  const description = readDescription('changes', import.meta.url)
  return { name: 'changes', description, input, readsOutside: true, run: showChanges }
}

async function showChanges({ path, glob, offset = 0 }: Input, { workspace }: ToolContext): Promise<ToolResult> {
  if (!workspace.branch) return refuse('The base of the branch is not known here.')
  const isWanted = createSelector(toSelection(glob))
  const files = (await workspace.branch.files()).filter((file) => isWanted(file.path))
  if (path === undefined) return listFiles(files, offset)
  const file = files.find((one) => one.path === path || one.previousPath === path)
  return file ? showDiff(file, offset) : { text: `[${showPath(path)} is as in the base]` }
}

function listFiles(files: readonly BranchFile[], offset: number): ToolResult {
  if (files.length === 0) return { text: '[no file differs from the base]' }
  const lines = fitLines(files.slice(offset, offset + mostFiles).map(showFile))
  const last = offset + lines.length
  const more = last < files.length ? `; more follow, read on with offset ${last}` : ''
  const head = `[${count(files.length, 'file')} ${files.length === 1 ? 'differs' : 'differ'} from the base${more}]`
  return { text: [head, ...lines].join('\n'), ...fromOffset(last < files.length ? last : undefined) }
}

function showFile({ path, previousPath, status, binary, additions, deletions }: BranchFile): string {
  const from = previousPath === null ? '' : ` from ${showPath(previousPath)}`
  return `${showPath(path)}: ${status}${from}${binary ? ', binary' : `, +${additions} -${deletions}`}`
}

function showDiff(file: BranchFile, offset: number): ToolResult {
  const hunks = file.patch.indexOf('\n@@')
  const all =
    hunks === -1
      ? []
      : file.patch
          .slice(hunks + 1)
          .replace(/\n$/, '')
          .split('\n')
  const lines = fitLines(all.slice(offset, offset + mostLines).map((line) => showInvisible(startOf(line, 2_000))))
  const last = offset + lines.length
  const more = last < all.length ? `; more follow, read on with offset ${last}` : ''
  return {
    text: [`[${showFile(file)}${more}]`, ...lines].join('\n'),
    ...fromOffset(last < all.length ? last : undefined),
  }
}
