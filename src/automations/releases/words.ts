// The words of the commit status of a release. Pure. Its count is that of `docent debt --since TAG --fail-over 0`: green is what that lets
// pass.

import { startOf, terminalText } from '../../lib/plain-text.ts'
import { sayOwed } from '../ledger/states.ts'

export type CountedRelease = {
  /** Its changes that wait or are set aside. */
  readonly owed: number
  /** Its changes that no automation followed. */
  readonly notFollowed: number
  /** Whether an automation with the trigger `code` follows the repository. */
  readonly isFollowed: boolean
  /** The tag of the release before; null: there is no earlier one. */
  readonly since: string | null
}

/** `text`: at most 140 characters, which every forge takes. */
export type SaidRelease = { readonly state: 'success' | 'failure' | 'pending'; readonly text: string }

/** A tag may be longer than the whole status. */
const mostCharacters = 60

export function sayRelease({ owed, notFollowed, isFollowed, since }: CountedRelease): SaidRelease {
  if (!isFollowed) return { state: 'pending', text: 'Not known: no automation follows the changes any more' }
  if (owed > 0) {
    const more = notFollowed === 0 ? '' : `; it is not known of ${notFollowed} more`
    return { state: 'failure', text: `${sayOwed(owed)}${more}` }
  }
  if (notFollowed > 0) {
    const which = notFollowed === 1 ? '1 change, which' : `${notFollowed} changes, which`
    return { state: 'pending', text: `Not known of ${which} no automation followed` }
  }
  const cut = (text: string) => startOf(text, mostCharacters)
  const range = since === null ? '' : ` since ${cut(terminalText(cut(since)))}`
  return { state: 'success', text: `Every change${range} is documented or needs no documentation` }
}

/** The tag of a commit that readers know it by: `v1.2.0` and not `latest`. */
export function chooseTag(names: readonly string[]): string | undefined {
  return names.find((name) => /\d+\.\d+/.test(name)) ?? names[0]
}
