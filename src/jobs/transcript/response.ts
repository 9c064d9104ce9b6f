// One turn and one run of a transcript as the API returns them: the texts whole, redacted, and what a replay compares.
// Pure. The provider's own form of a response (reasoning, signatures) stays in the database.

import type { ModelResponse, ModelMessage } from '../../agent/model/types.ts'
import { kindOf } from '../../agent/notices/notices.ts'
import type { ResultFacts } from '../../agent/tool.ts'
import type { StoredResult, Turn } from '../../agent/transcript.ts'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { JobPaths } from '../policy/judge-path.ts'

/** A file as an edit left it, without its content. */
export type FileDigest = {
  readonly path: string
  readonly mode: '100644' | '100755'
  /** Hexadecimal; null: the file is deleted. */
  readonly sha256: string | null
}

export type TranscriptRun = {
  readonly id: string
  readonly number: number
  readonly createdAt: string
  /** null: the run did not begin to work. */
  readonly baseCommit: string | null
  /** The commit that the turns edit; null as above. */
  readonly startCommit: string | null
  /** The commit that the run made; null: it made no commit. */
  readonly commit: string | null
  readonly branch: string | null
  /** null for runs of earlier releases. */
  readonly pathPolicy: JobPaths | null
  /** The unpublished edits of an earlier run that this one began with. */
  readonly carried: readonly FileDigest[]
}

export type TranscriptInput = {
  /** The kind of a notice of the service; null for a message of a person. */
  readonly notice: string | null
  readonly text: string
}

export type TranscriptCall = { readonly id: string; readonly name: string; readonly input: unknown }

/** A call that was wrong, and answered without running a tool. */
export type RefusedCall = Omit<TranscriptCall, 'id'> & { readonly error: string }

export type TranscriptResponse = {
  readonly text: string
  readonly calls: readonly TranscriptCall[]
  readonly refusedCalls: readonly RefusedCall[]
  readonly model: string
  readonly finishReason: string
  readonly usage: {
    readonly inputTokens: number
    readonly cachedInputTokens: number
    readonly outputTokens: number
    readonly costUsd: number | null
  }
}

export type TranscriptResult = {
  readonly callId: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
  /** For programs; null: no facts. */
  readonly facts: Readonly<Record<string, unknown>> | null
}

export type TranscriptTurn = {
  readonly runId: string
  /** The number of the run. */
  readonly run: number
  readonly number: number
  readonly createdAt: string
  /** A secret, or what looks like one, was removed from a text of the turn. */
  readonly isRedacted: boolean
  readonly input: readonly TranscriptInput[]
  /** null until the model responded. */
  readonly response: TranscriptResponse | null
  /** null until the calls ran. */
  readonly results: readonly TranscriptResult[] | null
  /** The files that the calls changed, as they were after the turn. */
  readonly edits: readonly FileDigest[]
}

export type StoredTurn = Turn & {
  readonly runId: string
  readonly run: number
  readonly createdAt: Date
  readonly edits: readonly FileDigest[]
}

/** `redact` also changes the names of fields: a call may have any. */
export function toTranscriptTurn(turn: StoredTurn, redact: (text: string) => string): TranscriptTurn {
  const { runId, run, number, createdAt, edits } = turn
  const said = {
    input: turn.input.map(toInput),
    response: turn.response ? toResponse(turn.response) : null,
    results: turn.results?.map(toResult) ?? null,
    edits,
  }
  const redacted = mapStrings(said, redact, redact)
  return { runId, run, number, createdAt: createdAt.toISOString(), isRedacted: redacted !== said, ...redacted }
}

function toInput(message: ModelMessage): TranscriptInput {
  const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content)
  return { notice: kindOf(message) ?? null, text }
}

function toResponse(response: ModelResponse): TranscriptResponse {
  const { text, calls, model, finishReason, usage } = response
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = usage
  return {
    text,
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    refusedCalls: findRefused(response),
    model,
    finishReason,
    // Turns of early releases lack some of them.
    usage: { inputTokens, cachedInputTokens: cachedInputTokens ?? 0, outputTokens, costUsd: costUsd ?? null },
  }
}

/** The calls in the messages that the messages answer themselves. */
function findRefused({ messages, calls }: ModelResponse): readonly RefusedCall[] {
  const run = new Set(calls.map(({ id }) => id))
  const answers = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content) if (part.type === 'tool-result') answers.set(part.toolCallId, wordsOf(part))
  }
  return messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-call' || run.has(part.toolCallId)) return []
      return [{ name: part.toolName, input: part.input, error: answers.get(part.toolCallId) ?? '' }]
    })
  })
}

type AnswerPart = Extract<ModelMessage, { readonly role: 'tool' }>['content'][number]

function wordsOf(part: AnswerPart): string {
  if (part.type !== 'tool-result' || !('value' in part.output)) return ''
  const { output } = part
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}

function toResult({ callId, tool, text, isError, facts }: StoredResult): TranscriptResult {
  return { callId, tool, text, isError, facts: facts ? toRecord(facts) : null }
}

function toRecord(facts: ResultFacts): Readonly<Record<string, unknown>> {
  return { ...facts }
}
