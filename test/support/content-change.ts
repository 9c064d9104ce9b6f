// A change of pages in memory, as the policy for content judges it.

import type { ChangedContent } from '../../src/jobs/policy/content/change.ts'
import { readContent } from '../../src/jobs/policy/content/read/read-content.ts'
import { memoryTree } from './memory-tree.ts'

export type Files = Readonly<Record<string, string>>

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The change of some files of a tree; a file that only `after` has is new, and null deletes one. */
export function changeContent(
  base: Files,
  after: Readonly<Record<string, string | null>>,
  imageHosts: readonly string[] = [],
): ChangedContent {
  return {
    base: memoryTree(base),
    edits: Object.entries(after).map(([path, text]) => ({
      path,
      mode: '100644',
      content: text === null ? null : bytes(text),
    })),
    before: new Map(
      Object.keys(after).flatMap((path) => (base[path] === undefined ? [] : [[path, bytes(base[path])] as const])),
    ),
    imageHosts,
    reading: (content) => Promise.resolve(readContent(content)),
    signal: new AbortController().signal,
  }
}
