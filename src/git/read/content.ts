// Reads files whose content may be missing.

import { Failure } from '../../lib/failure.ts'
import type { Tree } from '../types.ts'

/** Returns undefined for a free path, and for a link, a submodule or a file over the limit, which are never read. */
export async function contentOf(tree: Pick<Tree, 'read'>, path: string): Promise<Uint8Array | undefined> {
  return await tree.read(path).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'path_refused') return undefined
    throw error
  })
}
