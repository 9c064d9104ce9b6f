// The files of a change, as they were before it and as they are after it: their bytes, and a preview that is safe to show.

import { Failure, invalidInput } from '../lib/failure.ts'
import { onceMore } from '../lib/once-more.ts'
import { contentOf } from '../git/read/content.ts'
import type { Tree } from '../git/types.ts'
import type { Previews } from '../preview/previews.ts'
import type { DiffContext, FindRange } from './diff.ts'
import { shorten } from '../lib/plain-text.ts'

/** `base`: before the change, `head`: after it. */
export const sides = ['base', 'head'] as const
export type Side = (typeof sides)[number]

export type WantedFile = { readonly path: string; readonly at: Side }

export type FilesContext = DiffContext & { readonly previews: Previews }

/** Throws `not_found` without the change or the file, and like `find`. */
export function readFileOf(find: FindRange, { path, at }: WantedFile): Promise<Uint8Array> {
  return onceMore(async () => required(await readFile(await treeOf(find, at), path), path))
}

/** Returns HTML for the body of a page. Also throws `invalid_input` for a file that has no preview. */
export function previewFileOf(previews: Previews, find: FindRange, { path, at }: WantedFile): Promise<string> {
  return onceMore(async () => {
    const tree = await treeOf(find, at)
    const content = required(await readFile(tree, path), path)
    const html = await previews.preview({ path, content, read: (other) => readFile(tree, other) })
    if (html !== undefined) return html
    throw invalidInput('#/path', 'must be a page (.md, .mdx, .markdown) or an image')
  })
}

async function treeOf(find: FindRange, at: Side): Promise<Tree> {
  const range = await find()
  if (!range) throw new Failure('not_found', 'The job has changed nothing yet.')
  return range.repository.tree(at === 'base' ? range.from : range.to)
}

/** Undefined for a link, a submodule, and a file that is too large: they are never followed or read. */
async function readFile(tree: Tree, path: string): Promise<Uint8Array | undefined> {
  if (tree.entry(path)?.kind !== 'file') return undefined
  return await contentOf(tree, path)
}

function required(content: Uint8Array | undefined, path: string): Uint8Array {
  if (content) return content
  const name = shorten(path, 200)
  throw new Failure('not_found', `There is no file ${name} in this commit, or it cannot be shown.`)
}
