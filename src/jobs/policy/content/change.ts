// A change whose content is judged, and what is new in it.

import type { Edit, Tree } from '../../../git/types.ts'
import type { Sign } from './sign.ts'
import type { ReadSyntax } from './read/threads.ts'

export type ContentBase = Pick<Tree, 'entries' | 'entry' | 'read' | 'search'>

export type ChangedContent = {
  readonly base: ContentBase
  readonly edits: readonly Edit[]
  /** The previous contents of the changed paths that were files. */
  readonly before: ReadonlyMap<string, Uint8Array>
  readonly imageHosts: readonly string[]
  readonly reading: ReadSyntax
  readonly signal: AbortSignal
}

export type HostPlace = { readonly host: string; readonly path: string; readonly line: number }

/** `source`: the beginning of it, as the page has it. */
export type NewSign = { readonly path: string; readonly line: number; readonly source: string; readonly sign: Sign }
