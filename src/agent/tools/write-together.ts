// Writes several files, or no file: when one is refused, those before it get their content back.

import type { Workspace } from '../workspace.ts'

export type FileWrite = { readonly path: string; readonly content: Uint8Array }

/** Throws what the workspace throws for the file that it refuses. */
export async function writeTogether(workspace: Workspace, writes: readonly FileWrite[]): Promise<void> {
  const done: (() => Promise<void>)[] = []
  try {
    for (const { path, content } of writes) {
      const before = await workspace.read(path)
      await workspace.write(path, content)
      done.push(() => (before ? workspace.write(path, before) : workspace.remove(path)))
    }
  } catch (error) {
    for (const undo of done.toReversed()) await undo()
    throw error
  }
}
