// Reads files of the workspace as text, and encodes text so that unedited bytes stay the same. For a file that is not
// text, returns a reason that a tool can pass on.

import { showPath } from './result.ts'
import type { Files } from '../workspace.ts'

export type TextFile = {
  readonly path: string
  /** Without the byte order mark; line breaks as they are. */
  readonly text: string
  readonly hasMark: boolean
}

export type NoText = { readonly problem: 'missing' | 'binary' | 'lfs'; readonly reason: string }

const mark = '\ufeff'
const lfsPointer = 'version https://git-lfs.github.com/spec/'

/** Throws `Failure('path_refused')` for symbolic links, submodules and invalid paths, as the workspace does. */
export async function readTextFile(files: Pick<Files, 'read'>, path: string): Promise<TextFile | NoText> {
  const bytes = await files.read(path)
  if (!bytes) return { problem: 'missing', reason: `There is no file ${showPath(path)}.` }
  const text = decode(bytes)
  if (text === undefined)
    return { problem: 'binary', reason: `${showPath(path)} is a binary file (${bytes.length} bytes), not text.` }
  if (text.length < 1024 && text.startsWith(lfsPointer))
    return { problem: 'lfs', reason: `${showPath(path)} is kept in Git LFS; its content is not in the repository.` }
  const hasMark = text.startsWith(mark)
  return { path, hasMark, text: hasMark ? text.slice(1) : text }
}

export function encodeText(text: string, hasMark: boolean): Uint8Array {
  return new TextEncoder().encode(hasMark ? mark + text : text)
}

/** Returns the reason why the text cannot be written to a file; undefined if it can be. */
export function refuseText(text: string): string | undefined {
  if (!text.isWellFormed()) return 'The text holds half a character (a lone surrogate), which no file can hold.'
  return text.includes('\0') ? 'The text holds a NUL character.' : undefined
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8000).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
