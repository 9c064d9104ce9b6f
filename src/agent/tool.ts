// Defines a tool: an object with a name, a schema, a description for the model, and a function over the workspace. A
// tool never crashes a run: a wrong call or a refused path gives a result with `isError`.

import type { z } from 'zod'
import type { NamedSite } from '../sites/find-sites.ts'
import type { SiteOutline } from '../sites/site-map.ts'
import type { Checks, Problem } from './checks.ts'
import type { FindAffected, History } from './history.ts'
import type { AskedPage, Pages } from './pages.ts'
import type { RefusedEdit } from './refused-edit.ts'
import type { Sources } from './sources.ts'
import type { Workspace } from './workspace.ts'

export type ToolContext = {
  readonly workspace: Workspace
  /** Undefined: the run has no sources. */
  readonly sources?: Sources
  /** That of the documentation. Undefined: it is not known. */
  readonly history?: History
  readonly affected?: FindAffected
  /** Undefined: the documentation cannot be checked. */
  readonly checks?: Checks
  /** The sites that the settings name. */
  readonly sites?: readonly NamedSite[]
  /** Undefined: no page outside of the repository can be read. */
  readonly pages?: Pages
  readonly signal: AbortSignal
}

/** The end of a run: a pull request to propose, the reason why no change was necessary, or a question to the user. */
export type Finish =
  | {
      readonly kind: 'change'
      readonly title: string
      readonly summary: string
      /** For the user alone: never in the pull request or its commits. */
      readonly reply?: string
      /** Where the facts of a page are from: `@name/path:12-30`. Not verified. */
      readonly sources?: readonly { readonly page: string; readonly source: string }[]
      /** The budget at which the run ended. The service wrote this finish, and it is a part of the work. */
      readonly unfinished?: string
    }
  | { readonly kind: 'no_change'; readonly reason: string }
  | {
      readonly kind: 'question'
      readonly question: string
      /** Set when the run stopped without `finish`: its changed files. The question is the last words of the model. */
      readonly keptFiles?: number
    }

/** The text of a finish, whole and as the model wrote it. */
export function textOf(finish: Finish): string {
  if (finish.kind === 'change') return finish.summary
  return finish.kind === 'question' ? finish.question : finish.reason
}

/** Says what becomes of the edits of a run that publishes nothing. */
export function sayKept(files: number): string {
  if (files === 0) return 'No file is changed'
  return files === 1 ? '1 changed file is kept' : `${files} changed files are kept`
}

/** The budget at which the run ended, if the finish is that of a part of the work. */
export function partOf(finish: Finish): string | undefined {
  return finish.kind === 'change' ? finish.unfinished : undefined
}

/** Facts about a result, for programs. Stored with the result, so that no code has to match its text. */
export type ResultFacts = {
  /** The offset or line at which a partial list or file continues. */
  readonly next?: number
  /** The file has a line that is too long to be shown in full. */
  readonly isCut?: boolean
  /** The sites of the repository, and the names of the sources that the run reads. */
  readonly sites?: readonly SiteOutline[]
  readonly sources?: readonly string[]
  /** Invisible characters are written as `\u{200B}`. */
  readonly isEscaped?: boolean
  /** The number of references that were rewritten or removed; the lines below the head line name their files. */
  readonly references?: number
  readonly files?: number
  /** The line after those of the files says where the redirect is, or why there is no redirect. */
  readonly redirect?: 'written' | 'not_written'
  /** The problems that the lines below the head line list. */
  readonly found?: readonly Problem[]
  /** The reason why `finish` was refused; `policy` also for an edit. */
  readonly refusal?: FinishRefusal
  /** The edit that the policy refused. */
  readonly refused?: RefusedEdit
  /** The name of the source that the result is from. */
  readonly source?: string
  /** The commit that the result is from, if it is not the one that the run reads. */
  readonly at?: string
  /** The commit whose content these files got, such that a replay can do the same. */
  readonly reverted?: { readonly base: string; readonly paths: readonly string[] }
  /** The page that was requested, with its links that the run may follow. */
  readonly fetched?: AskedPage & { readonly links?: readonly string[] }
}

export type FinishRefusal =
  | 'nothing_changed'
  | 'files_changed'
  | 'over_budget'
  | 'policy'
  | 'checks'
  | 'losses'
  | 'ungrounded'
  | 'not_alone'
  | 'message_waits'

export type ToolResult = {
  /** The text for the model, at most `maxResultCharacters` long. The head line names what was cut. */
  readonly text: string
  readonly isError?: boolean
  readonly facts?: ResultFacts
  /** Set only by `finish`. */
  readonly finish?: Finish
}

export interface Tool<Input = unknown> {
  readonly name: string
  /** The description for the model, from the `.md` file beside the tool. */
  readonly description: string
  readonly input: z.ZodType<Input>
  /** Its result depends on more than the workspace: a replay takes it from the transcript. It changes no file. */
  readonly readsOutside?: true
  /**
   * Whether the tool can do anything in this run; missing: always. Asked before each response, and again when a run continues
   * elsewhere: it must follow from what is stored.
   */
  readonly isOffered?: (context: ToolContext) => Promise<boolean>
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

/** The most characters in a result of any tool. */
export const maxResultCharacters = 50_000
