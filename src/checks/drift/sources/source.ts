// The interface through which drift sees a repository of the product: its files at one commit, and how they changed before. The git engine satisfies
// it. Everything in it was written by others.

import type { TreeFile } from '../../../sites/tree.ts'

/** A commit on the way from the pin to the first one, always by the first parent. `tags`: the names that it has. */
export type Revision = { readonly commit: string; readonly date: Date; readonly tags: readonly string[] }

/** Two commits, the older one first. */
export type Span = { readonly from: string; readonly to: string }

/** `before`, `after`: ids of contents. `before` null: the file was added. `after` null: it was deleted. */
export type FileChange = { readonly path: string; readonly before: string | null; readonly after: string | null }

export interface Source {
  /** As people name it: `api`. */
  readonly name: string
  /** The pin: the commit that everything is compared with. */
  readonly commit: string
  /** The files at that commit. */
  files(signal: AbortSignal): Promise<readonly TreeFile[]>
  /**
   * Calls `onFile` for each, in order, with its content; `undefined`: it is not here. Ends early, without an error, when the
   * signal fires.
   */
  read<File extends { readonly oid: string }>(
    files: readonly File[],
    onFile: (file: File, content: Buffer | undefined) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** The newest first, from the pin on; at most `limit`. */
  history(limit: number, signal: AbortSignal): Promise<readonly Revision[]>
  /** The files that each span changed, in the order of the spans. `path`: only this file. */
  changes(spans: readonly Span[], signal: AbortSignal, path?: string): Promise<readonly (readonly FileChange[])[]>
}
