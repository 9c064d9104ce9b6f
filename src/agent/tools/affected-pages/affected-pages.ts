// The tool `affected_pages`: the pages that a change concerns, ranked by the service without a model. It changes no files.

import { z } from 'zod'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import { hasPast } from '../history/past.ts'
import { count, fitLines, readDescription, refuse, showPath } from '../result.ts'

const usualLimit = 20
const mostTerms = 6

const name = () => z.string().min(1).max(200).optional()
const input = z.object({
  from: z.string().min(1).max(200),
  to: name(),
  source: z.string().min(1).max(41).optional(),
  limit: z.int().min(1).max(100).optional(),
})

type Input = z.infer<typeof input>

export function createAffectedPagesTool(): Tool<Input> {
  const description = readDescription('affected-pages', import.meta.url)
  return { name: 'affected_pages', description, input, readsOutside: true, isOffered: hasPast, run: rank }
}

async function rank({ from, to, source, limit = usualLimit }: Input, context: ToolContext): Promise<ToolResult> {
  if (!context.affected) return refuse('Pages cannot be ranked here.')
  const asked = { from, to, source: source?.replace(/^@/, ''), limit }
  const { concernsDocs, pages } = await context.affected(asked, context.signal)
  const verdict = concernsDocs ? 'the change probably concerns the documentation' : 'it probably concerns no page'
  const lines = fitLines(
    pages.map(({ path, score, terms }) => {
      const because = terms
        .slice(0, mostTerms)
        .map((term) => JSON.stringify(term))
        .join(', ')
      return `${showPath(path)}: ${score.toFixed(2)}${because === '' ? '' : ` ${because}`}`
    }),
  )
  const facts = asked.source === undefined ? {} : { facts: { source: asked.source } }
  return { text: [`[${count(lines.length, 'page')}, the likeliest first; ${verdict}]`, ...lines].join('\n'), ...facts }
}
