// What a tool is: one object of name, schema, text for the model, and a function over the workspace.
// A tool never crashes a run: a wrong call or a refused path is a result with `isError`.

import type { z } from 'zod'
import type { Workspace } from './workspace.ts'

export type ToolContext = { readonly workspace: Workspace; readonly signal: AbortSignal }

/** How a model ends a run: with a pull request to propose, or with the reason why nothing had to be done. */
export type Finish =
  | { readonly kind: 'change'; readonly title: string; readonly summary: string }
  | { readonly kind: 'no_change'; readonly reason: string }

/** What a program needs to know about a result. Stored with it, so that nothing has to recognise our sentences. */
export type ResultFacts = {
  /** The list or the file continues: the offset or the line to read on from. */
  readonly next?: number
  /** The file has a line that is too long to be read. */
  readonly isCut?: boolean
  /** Invisible characters are written as `\u{200B}`. */
  readonly isEscaped?: boolean
  /** References that were rewritten or removed, and the files that held them, one line each below the head line. */
  readonly references?: number
  readonly files?: number
  /** Why `finish` was refused. */
  readonly refusal?: FinishRefusal
}

export type FinishRefusal = 'nothing_changed' | 'files_changed' | 'over_budget' | 'policy' | 'not_alone'

export type ToolResult = {
  /** What the model reads. At most `maxResultCharacters`; the head line says what was cut. */
  readonly text: string
  readonly isError?: boolean
  readonly facts?: ResultFacts
  /** Set by `finish` alone. */
  readonly finish?: Finish
}

export interface Tool<Input = unknown> {
  readonly name: string
  /** The text for the model, from the `.md` file beside the tool. */
  readonly description: string
  readonly input: z.ZodType<Input>
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

/** No tool returns more characters than this. */
export const maxResultCharacters = 50_000
