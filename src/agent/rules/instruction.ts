// The instructions that the built-in model understands, as data, and the error for every other instruction.

import { Failure } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { Asked } from './left-alone/left-alone.ts'

export type ReplaceTerm = Asked & {
  readonly kind: 'replace'
  readonly from: string
  readonly to: string
  /** True when the instruction applies to code blocks and inline code too. */
  readonly inCode: boolean
}
export type MovePage = {
  readonly kind: 'move'
  readonly from: string
  readonly to: string
  /** True when `to` is a folder; the page keeps its name. */
  readonly isFolder: boolean
}
export type DeletePage = { readonly kind: 'delete'; readonly path: string }
export type SetField = {
  readonly kind: 'field'
  readonly path: string
  readonly field: string
  readonly value: string
  /** Written as it is (`true`, `3`), not as a string. */
  readonly isBare: boolean
}

/** Fixes what the check finds, where it is clear what was meant. */
export type FixProblems = Asked & {
  readonly kind: 'fix'
  /** The kinds of problems, as the tool `check` names them; empty: all kinds. */
  readonly problems: readonly string[]
  readonly noun:
    | 'broken link'
    | 'broken anchor'
    | 'broken image'
    | 'stale term'
    | 'stale value'
    | 'stale mention'
    | 'problem'
}

/** Adds the pages that the navigation lacks. */
export type ListPages = Asked & { readonly kind: 'list' }

/** Renames in the documentation what was renamed in the product. */
export type FollowChanges = {
  readonly kind: 'follow'
  /** A tag, a commit, a date, or `last-tag`. */
  readonly since: string
  /** Undefined: all sources, or without sources the repository itself. */
  readonly source: string | undefined
}

export type Instruction = ReplaceTerm | MovePage | DeletePage | SetField | FixProblems | ListPages | FollowChanges

const examples = [
  'Fix the broken links',
  'Fix the stale terms and values',
  'Add the missing pages to the navigation',
  'Rename "Acme CLI" to "Acme Command" everywhere (in prose; add "also in code blocks" for code)',
  'Move cli/install.mdx to guides/install-the-cli.mdx',
  'Delete the page guides/legacy and the links to it',
  'Set the description of guides/ci.mdx to "Deploy from your pipeline"',
  'Update the docs for the changes since v1.2',
]

const maxQuoted = 200

/** The error for an instruction that is not understood. `words` is the part that was not understood. */
export function notUnderstood(words: string): Failure {
  return new Failure(
    'model_not_configured',
    [
      `The built-in rules do not understand “${shorten(words, maxQuoted)}”. They can do this:`,
      ...examples.map((example) => `- ${example}`),
      'For anything else, set up a language model: DOCENT_MODEL=anthropic/…, openai/…, google/… or compatible/…, with the key or the address of the provider (docs/guides/models.md).',
    ].join('\n'),
  )
}
