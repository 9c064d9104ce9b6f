// The tool `finish`, with which the model ends the run. It changes no files.

import { z } from 'zod'
import { readDescription } from './result.ts'
import type { Tool, ToolResult } from '../tool.ts'

const maxSummary = 10_000
const oneLine = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\n\r]*$/, 'The title is a single line.')

const input = z
  .object({
    title: oneLine.optional().describe('What changed, in one line of at most 120 characters.'),
    summary: z
      .string()
      .trim()
      .min(1)
      .max(maxSummary)
      .optional()
      .describe('For the reviewer: what changed, why, and what was left.'),
    noChange: z
      .string()
      .trim()
      .min(1)
      .max(maxSummary)
      .optional()
      .describe('Instead of both: why there was nothing to do.'),
  })
  .refine(
    ({ title, summary, noChange }) =>
      noChange === undefined
        ? title !== undefined && summary !== undefined
        : title === undefined && summary === undefined,
    'Give `title` and `summary`, or `noChange` alone.',
  )

type Input = z.infer<typeof input>

export function createFinishTool(): Tool<Input> {
  const description = readDescription('finish', import.meta.url)
  return { name: 'finish', description, input, readsOutside: true, run: finish }
}

function finish({ title, summary, noChange }: Input): Promise<ToolResult> {
  if (title !== undefined && summary !== undefined)
    return Promise.resolve({ text: '[finished]', finish: { kind: 'change', title, summary } })
  return Promise.resolve({ text: '[finished without a change]', finish: { kind: 'no_change', reason: noChange ?? '' } })
}
