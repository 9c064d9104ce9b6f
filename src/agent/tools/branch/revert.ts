// The tool `revert`: makes a file what it is at the base of the branch, also one that was deleted, made or moved.

import { z } from 'zod'
import { pathField, readDescription, refuse, showPath } from '../result.ts'
import { suggestPaths } from '../suggest.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import type { Branch, Workspace } from '../../workspace.ts'

const input = z.object({ path: pathField() })

type Input = z.infer<typeof input>

export function createRevertTool(): Tool<Input> {
  return { name: 'revert', description: readDescription('revert', import.meta.url), input, run: revert }
}

async function revert({ path }: Input, { workspace }: ToolContext): Promise<ToolResult> {
  const { branch } = workspace
  if (!branch) return refuse('The base of the branch is not known here: change the file with edit_file.')
  const now = await workspace.read(path)
  const before = await branch.read(path)
  if (!now && !before) return refuse(`There is no file ${showPath(path)}.${await suggestPaths(workspace, path)}`)
  const moved = (await branch.files()).find(
    (file) => file.status === 'renamed' && (file.path === path || file.previousPath === path),
  )
  const paths = moved && moved.previousPath !== null ? [moved.previousPath, moved.path] : [path]
  const done: string[] = []
  for (const one of paths) {
    const words = await restore(workspace, branch, one)
    if (words !== undefined) done.push(words)
  }
  if (done.length === 0) return { text: `[${showPath(path)} is as in the base already]` }
  return { text: `[${done.join('; ')}]`, facts: { reverted: { base: await branch.base(), paths } } }
}

/** Returns what was done; undefined if the file is as at the base. */
async function restore(workspace: Workspace, branch: Branch, path: string): Promise<string | undefined> {
  const [now, before] = [await workspace.read(path), await branch.read(path)]
  if (!before) {
    if (!now) return undefined
    await workspace.remove(path)
    return `deleted ${showPath(path)}, which the base does not have`
  }
  if (now && Buffer.compare(now, before) === 0) return undefined
  await workspace.write(path, before)
  return `${showPath(path)} is as in the base again`
}
