// Docent's own comments on pull requests and issues, and its reactions. One interface for all hosts: thin calls that never
// repeat a request; `say.ts` looks before it writes.

import type { DiscussionKey } from '../discussion/discussion.ts'

/** A comment or review of people, by the kind and the id of its entry in the activity. */
export type Reacted = DiscussionKey & {
  readonly what: 'comment' | 'review_comment' | 'review'
  readonly forgeId: string
}

export type HostComment = {
  readonly id: string
  readonly text: string
  /** The login; null: the host does not say. */
  readonly author: string | null
}

/** `off`: the credential may not comment there. `unknown_effect`: the response was lost. */
export type CommentWritten =
  | { readonly kind: 'written'; readonly id: string }
  | { readonly kind: 'off' }
  | { readonly kind: 'unknown_effect' }

/** Methods throw as those of `ForgeHost` do. */
export interface HostComments {
  /** Does the host show comments of HTML? Then the marker is a line that people see. */
  readonly showsHtmlComments?: true
  /** The comments since the time (ISO 8601), and maybe earlier ones: those of the whole thing, not those on lines. */
  list(on: DiscussionKey, since: string, signal: AbortSignal): Promise<readonly HostComment[]>
  create(on: DiscussionKey, text: string, signal: AbortSignal): Promise<CommentWritten>
  /** False: it is gone, or belongs to another account. The same edit may be sent again. */
  edit(on: DiscussionKey, id: string, text: string, signal: AbortSignal): Promise<boolean>
  /** Shows two eyes, or a like where the host has no more; twice is the same. False: the host has no reactions there, or the credential may not add one. */
  react(to: Reacted, signal: AbortSignal): Promise<boolean>
}

const hiddenMarker = /<!-- docent:comment=[\w-]{1,100} -->/
const shownMarker = /^`docent:[\w-]{1,100}`$/m

/** `name`: letters, digits, `_` and `-`. */
export function commentMarker({ showsHtmlComments }: Pick<HostComments, 'showsHtmlComments'>, name: string): string {
  return showsHtmlComments ? `\`docent:${name}\`` : `<!-- docent:comment=${name} -->`
}

/** Is it a comment that Docent wrote, or one that quotes all of it? */
export function hasCommentMarker(text: string): boolean {
  return hiddenMarker.test(text) || shownMarker.test(text)
}
