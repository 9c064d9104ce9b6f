// Creates the events of a turn: the model's response and the results of its calls, both shortened. The transcript has
// the complete texts.

import type { ModelResponse } from '../../agent/model/types.ts'
import type { StoredResult } from '../../agent/transcript.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { cut, eventLimits, type JobEvent } from './events.ts'
import { toUsage } from '../response.ts'

/** `job` already includes the usage of this response. */
export function turnEvent(number: number, response: ModelResponse, job: JobRow): JobEvent {
  const { inputTokens, cachedInputTokens, outputTokens } = response.usage
  return {
    type: 'turn',
    number,
    text: cut(response.text, eventLimits.text),
    calls: response.calls.slice(0, eventLimits.items).map(({ name, input }) => ({
      name: cut(name, eventLimits.input),
      input: cut(JSON.stringify(input) ?? '', eventLimits.input),
    })),
    usage: { inputTokens, cachedInputTokens, outputTokens },
    total: toUsage(job),
  }
}

type Changed = { readonly files: number; readonly bytes: number }

/** `changed`: the changes of the run so far, including edits from the previous run. */
export function resultsEvent(turn: number, results: readonly StoredResult[], changed: Changed): JobEvent {
  return {
    type: 'results',
    turn,
    results: results.slice(0, eventLimits.items).map(({ tool, isError, text }) => ({
      tool: cut(tool, eventLimits.input),
      isError,
      summary: cut(text.split('\n', 1)[0] ?? '', eventLimits.summary),
    })),
    changed: { files: changed.files, bytes: changed.bytes },
  }
}
