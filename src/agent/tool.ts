// What a tool is: one object of name, schema, text for the model, and a function over the workspace.
// A tool answers; it never crashes a run. A wrong call or a refused path is a result with `isError`.

import type { z } from 'zod'
import type { Workspace } from './workspace.ts'

export type ToolContext = { readonly workspace: Workspace; readonly signal: AbortSignal }

/** How a run ends when the model says so: a pull request to propose, or a reason why nothing was to do. */
export type Finish =
  | { readonly kind: 'change'; readonly title: string; readonly summary: string }
  | { readonly kind: 'no_change'; readonly reason: string }

export type ToolResult = {
  /** What the model reads. At most `maxResultCharacters`; what was cut is said in a notice at the head. */
  readonly text: string
  readonly isError?: boolean
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
