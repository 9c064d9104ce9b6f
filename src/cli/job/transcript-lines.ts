// The file of a transcript: one JSON object per line, of which the first says what the file is. `docent job transcript`
// writes it, and `docent job replay` reads it.

import { z } from '@hono/zod-openapi'
import { transcriptRunSchema, transcriptTurnSchema } from '../../http/resources/jobs/transcript-schemas.ts'
import type { Transcript } from '../../jobs/transcript/replay/replay.ts'
import type { TranscriptRun, TranscriptTurn } from '../../jobs/transcript/response.ts'
import { usage } from '../exit.ts'

/** Raised when a later form cannot be read as this one. */
const version = 1

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('transcript'), version: z.literal(version), jobId: z.string() }),
  z.object({ kind: z.literal('run'), run: transcriptRunSchema }),
  z.object({ kind: z.literal('turn'), turn: transcriptTurnSchema }),
])

export function headLine(jobId: string, erasedAt: string | null): string {
  return JSON.stringify({ kind: 'transcript', version, jobId, erasedAt })
}

export function runLine(run: TranscriptRun): string {
  return JSON.stringify({ kind: 'run', run })
}

export function turnLine(turn: TranscriptTurn): string {
  return JSON.stringify({ kind: 'turn', turn })
}

/** Throws a usage error that names the line. */
export function parseTranscript(text: string): Transcript {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parsed = lines.map((line, index) => parseLine(line, index + 1))
  if (parsed[0]?.kind !== 'transcript') throw usage(`The file is no transcript. ${hint}`)
  return {
    runs: parsed.flatMap((line) => (line.kind === 'run' ? [line.run] : [])),
    turns: parsed.flatMap((line) => (line.kind === 'turn' ? [line.turn] : [])),
  }
}

const hint = 'Make one with: docent job transcript JOB --json > FILE'

function parseLine(line: string, number: number): z.infer<typeof lineSchema> {
  const found = lineSchema.safeParse(toJson(line))
  if (found.success) return found.data
  const issue = found.error.issues[0]
  throw usage(
    `Line ${number} of the file is no line of a transcript: ${issue?.path.join('.')} ${issue?.message}. ${hint}`,
  )
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
