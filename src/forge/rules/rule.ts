// The rules of a host on what is pushed, in one form for all hosts, and what they judge.

import type { Person } from '../publication.ts'

/** A text of a publication that a pattern may judge. */
export const judgedTexts = ['message', 'branch', 'authorEmail', 'committerEmail', 'committerName'] as const
export type JudgedText = (typeof judgedTexts)[number]

export const operators = ['starts_with', 'ends_with', 'contains', 'regex'] as const

/** Part of the settings of a project that decides what is pushed. */
export const publishSettings = ['commit.prefix', 'pullRequest.branchPrefix', 'commit.author', 'commit.signOff'] as const
export type PublishSetting = (typeof publishSettings)[number]

export type PushRule =
  | {
      readonly kind: 'text'
      readonly of: JudgedText
      readonly operator: (typeof operators)[number]
      readonly pattern: string
      readonly isNegated: boolean
      /** `^` and `$` match at each line. */
      readonly isMultiline?: boolean
    }
  /** The person must have one of these names or addresses. `person`: whom to name instead. */
  | {
      readonly kind: 'person'
      readonly of: 'committerEmail' | 'committerName'
      readonly accepted: readonly string[]
      readonly person: Person | null
    }
  | { readonly kind: 'signature' | 'signOff' }
  /** Nobody, or nobody but others, may push to such a branch. */
  | { readonly kind: 'closed'; readonly words: string }
  /** From a refusal that named no pattern: it holds while the setting has this value. */
  | { readonly kind: 'kept'; readonly words: string; readonly setting: PublishSetting; readonly value: string }
  /** It applies, and cannot be judged before the push. */
  | { readonly kind: 'unknown'; readonly words: string }

/** A push that would be made. A person is null when only the host knows whom it names. */
export type Judged = {
  readonly branch: string
  readonly message: string
  readonly author: Person | null
  readonly committer: Person | null
  readonly isSigned: boolean
  /** The present values, as JSON. */
  readonly settings: Readonly<Record<PublishSetting, string>>
}
