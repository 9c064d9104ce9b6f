// The tool `finish`, with which the model ends the run. It changes no files.

import { z } from 'zod'
import { readDescription } from './result.ts'
import type { Finish, Tool, ToolResult } from '../tool.ts'

const maxSummary = 10_000
/** People read these whole, and no pull request limits them. */
const maxResponse = 40_000

const text = (max: number) => z.string().trim().min(1).max(max).optional()
const oneLine = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\n\r]*$/, 'The title is a single line.')

type Cited = { readonly page: string; readonly source: string }

type Given = {
  readonly title?: string | undefined
  readonly summary?: string | undefined
  readonly noChange?: string | undefined
  readonly question?: string | undefined
  readonly reply?: string | undefined
  readonly sources?: readonly Cited[] | undefined
}

const input = z
  .object({
    title: oneLine.optional(),
    summary: text(maxSummary),
    noChange: text(maxResponse),
    question: text(maxResponse),
    reply: text(maxResponse),
    sources: z
      .array(z.object({ page: z.string().min(1).max(500), source: z.string().min(1).max(500) }))
      .max(100)
      .optional(),
  })
  .refine(
    (given) => toFinish(given) !== undefined,
    'Give `title` and `summary`, also with `reply`; or `noChange` or `question` alone.',
  )

type Input = z.infer<typeof input>

export function createFinishTool(): Tool<Input> {
  const description = readDescription('finish', import.meta.url)
  return { name: 'finish', description, input, readsOutside: true, run: finish }
}

const words = {
  change: '[finished]',
  no_change: '[finished without a change]',
  question: '[finished with a question]',
} as const

function finish(given: Input): Promise<ToolResult> {
  const ended = toFinish(given)
  return Promise.resolve(ended ? { text: words[ended.kind], finish: ended } : { text: 'Wrong input.', isError: true })
}

/** Returns undefined for fields that do not belong together. */
function toFinish({ title, summary, noChange, question, reply, sources }: Given): Finish | undefined {
  const isChange = title !== undefined || summary !== undefined || reply !== undefined
  if (isChange && noChange === undefined && question === undefined) {
    const isWhole = title !== undefined && summary !== undefined
    if (!isWhole) return undefined
    return {
      kind: 'change',
      title,
      summary,
      ...(reply === undefined ? {} : { reply }),
      ...(sources?.length ? { sources } : {}),
    }
  }
  if (isChange || (noChange === undefined) === (question === undefined)) return undefined
  return question === undefined ? { kind: 'no_change', reason: noChange ?? '' } : { kind: 'question', question }
}
