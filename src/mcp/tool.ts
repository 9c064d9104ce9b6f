// A tool of the MCP server: one operation of the API with arguments that a model understands. It implements nothing: what a
// caller may do, and how often, is decided by the operation.

import { z } from 'zod'
import { Failure } from '../lib/failure.ts'
import { shorten } from '../lib/plain-text.ts'

export type ApiCall = {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** `body`: parsed JSON; a problem document from status 400 on. */
export type ApiReply = { readonly status: number; readonly retryAfter: number | undefined; readonly body: unknown }

/** Sends a request to the API as the caller of the tool. */
export type Ask = (call: ApiCall) => Promise<ApiReply>

type Described = {
  readonly name: string
  readonly title: string
  /** For the model. */
  readonly description: string
  /** The scope of the operation: a key without it does not see the tool. */
  readonly scope: 'read' | 'write'
  /** How to get what was left out of a result that is too long. */
  readonly rest: string
}

type Defined<Input extends z.ZodObject> = Described & {
  readonly input: Input
  readonly call: (input: z.output<Input>) => ApiCall
  /** The part of the response that the caller gets. Default: all. Secrets are already removed. */
  readonly show?: (response: unknown, input: z.output<Input>) => unknown
}

export type Tool = Described & {
  readonly inputSchema: Readonly<Record<string, unknown>> & { readonly type: 'object' }
  /** Throws `invalid_input`. */
  prepare(given: unknown): { readonly call: ApiCall; readonly show: (response: unknown) => unknown }
}

const mostProblems = 5

export function tool<Input extends z.ZodObject>({ input, call, show, ...described }: Defined<Input>): Tool {
  return {
    ...described,
    inputSchema: { ...z.toJSONSchema(input, { io: 'input' }), type: 'object' },
    prepare: (given) => {
      const parsed = input.safeParse(given)
      if (!parsed.success) throw toFailure(parsed.error)
      const { data } = parsed
      return { call: call(data), show: (response) => (show ? show(response, data) : response) }
    },
  }
}

/** Never repeats a value of the input. */
function toFailure({ issues }: z.ZodError): Failure {
  const details = issues.slice(0, mostProblems).map(({ path, message }) => {
    return { pointer: shorten(['#', ...path].join('/'), 100), message: shorten(message, 300) }
  })
  const words = details.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
  return new Failure('invalid_input', `The arguments are wrong: ${words}`, { details })
}

type Values = Readonly<Record<string, string | number | undefined>>

export function withQuery(path: string, values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
