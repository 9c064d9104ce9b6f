// The log of a check run on GitHub: that of its job if it is one of Actions, otherwise the words and annotations that its App wrote.

import { z } from 'zod'
import { failureFrom } from '../../merging/checks.ts'
import type { CheckFailure } from '../../merging/merging.ts'
import { isStatus } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { GitHub } from '../github.ts'

/** GitHub accepts 65,535 characters. */
const words = text(100_000).nullish()

export const runSchema = z.object({
  id: z.int().positive(),
  name: text(1_000),
  status: text(50),
  conclusion: text(50).nullable(),
  html_url: text(4_000).nullish(),
  app: z.object({ slug: text(300).nullish() }).nullish(),
  output: z.object({ title: words, summary: words, text: words }).nullish(),
})
export type Run = z.infer<typeof runSchema>

/** Not one that was cancelled, is stale, or wants something of a person. */
const failed: readonly (string | null)[] = ['failure', 'timed_out', 'startup_failure']

export function failureOfRun(github: GitHub, run: Run): CheckFailure | undefined {
  if (run.status !== 'completed' || !failed.includes(run.conclusion)) return undefined
  const { html_url: link, output } = run
  return failureFrom({ description: output?.title, link, readLog: (signal) => readLog(github, run, signal) })
}

/** The job of a check run of Actions has its number. Its log needs the permission *Actions: read*. */
async function readLog(github: GitHub, run: Run, signal: AbortSignal): Promise<string | undefined> {
  const { client, path } = github
  const isJob = run.app?.slug === 'github-actions'
  const log = isJob ? await client.readEnd({ path: `${path}/actions/jobs/${run.id}/logs` }, signal) : undefined
  return log ?? (await readWords(github, run, signal))
}

const mostAnnotations = 50
const annotationsSchema = z
  .array(
    z.object({
      path: text(4_096),
      start_line: z.int(),
      annotation_level: text(50).nullable(),
      title: words,
      message: words,
    }),
  )
  .max(mostAnnotations)

async function readWords({ client, path }: GitHub, run: Run, signal: AbortSignal): Promise<string | undefined> {
  const query = { per_page: mostAnnotations }
  const reply = await client.ask({ method: 'GET', path: `${path}/check-runs/${run.id}/annotations`, query }, signal)
  const rows = isStatus(reply, 200) && reply.kind === 'response' ? annotationsSchema.safeParse(reply.body).data : []
  const annotations = (rows ?? []).map(({ path: file, start_line: line, annotation_level: level, title, message }) => {
    return `${file}:${line}: ${level ?? 'notice'}: ${[title, message].filter(Boolean).join(': ')}`
  })
  const { title, summary, text: body } = run.output ?? {}
  return [title, summary, body, ...annotations].filter(Boolean).join('\n') || undefined
}
