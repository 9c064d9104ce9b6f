// Writes one comment of Docent's own on a pull request or an issue, or brings the one that is there up to date. A response
// may be lost, so the comment carries a marker with its name, and each step looks for it before it creates one. Calls for the
// same name must not overlap.

import type { Clock } from '../../lib/clock.ts'
import { shorten } from '../../lib/plain-text.ts'
import { again, attempt } from '../attempt.ts'
import { hideMarkers, normalise } from '../body.ts'
import type { DiscussionKey } from '../discussion/discussion.ts'
import type { ForgeHost } from '../host.ts'
import { commentMarker, type HostComment } from './comments.ts'

export type OwnComment = {
  readonly on: DiscussionKey
  /** Tells it from Docent's other comments there: letters, digits, `_` and `-`. */
  readonly name: string
  /** Markdown. The caller has taken the powers from the words of models and outsiders (`powers/markdown.ts`). */
  readonly text: string
  /** No such comment is older (ISO 8601). */
  readonly since: string
  /** That of the comment, if it is known. */
  readonly id?: string | null | undefined
  /** The login of the credential, if it is known: a comment of somebody else is never edited. */
  readonly account: string | null
}

/** `off`: the credential may not comment there. */
export type Said = { readonly kind: 'said'; readonly id: string } | { readonly kind: 'off' }

export type SayContext = {
  readonly host: Pick<ForgeHost, 'comments'>
  readonly clock: Clock
  readonly deadlineMs?: number
}

const defaultDeadlineMs = 30_000
/** Every host takes so many. */
const mostCharacters = 30_000

/** May run again after any failure. Throws the failures of the host. */
export async function say(context: SayContext, comment: OwnComment, signal: AbortSignal): Promise<Said> {
  const { clock, deadlineMs = defaultDeadlineMs } = context
  return await attempt({ clock, deadlineMs }, () => step(context, comment, signal), signal)
}

async function step({ host: { comments } }: SayContext, given: OwnComment, signal: AbortSignal) {
  const { on, name, since, id, account } = given
  const marker = commentMarker(comments, name)
  const text = `${shorten(safe(given.text), mostCharacters)}\n\n${marker}`
  if (id !== undefined && id !== null && (await comments.edit(on, id, text, signal))) return said(id)
  const isOurs = (one: HostComment) =>
    normalise(one.text).endsWith(`\n${marker}`) && (account === null || one.author === null || one.author === account)
  const found = (await comments.list(on, since, signal)).filter((one) => one.id !== id).find(isOurs)
  if (found && (normalise(found.text) === normalise(text) || (await comments.edit(on, found.id, text, signal))))
    return said(found.id)
  const created = await comments.create(on, text, signal)
  if (created.kind === 'unknown_effect') return again
  return created.kind === 'off' ? ({ kind: 'off' } as const) : said(created.id)
}

function said(id: string): Said {
  return { kind: 'said', id }
}

/** A line that begins with `/` is a command for GitLab and for many bots. */
function safe(text: string): string {
  return normalise(hideMarkers(text)).replaceAll(/^([ \t]*)\/(?=[a-z_])/gim, String.raw`$1\/`)
}
