// One turn of the agent: its text, and its tool calls, each folded with its subject and the first line of its result.

import type { JobEvent } from '../../api/jobs.ts'

type TurnEvent = Extract<JobEvent, { readonly type: 'turn' }>
type Results = Extract<JobEvent, { readonly type: 'results' }>
type Props = { readonly turn: TurnEvent; readonly results: Results | undefined }

export function Turn({ turn, results }: Props) {
  return (
    <div className="rounded-lg border border-line px-4 py-3">
      {turn.text !== '' && <p className="whitespace-pre-wrap break-words">{turn.text}</p>}
      {turn.calls.map((call, index) => {
        const result = results?.results[index]
        return (
          <details key={index} className="mt-1">
            <summary className="cursor-pointer truncate text-sm text-muted hover:text-text">
              <span className="font-mono text-text">{call.name}</span> {subjectOf(call.input)}
              {result !== undefined && <span className={result.isError ? 'text-bad' : ''}> → {result.summary}</span>}
            </summary>
            <pre className="mt-1 max-h-80 overflow-auto rounded bg-sunken p-2 font-mono text-sm" tabIndex={0}>
              {call.input}
            </pre>
          </details>
        )
      })}
    </div>
  )
}

/** What a call is about: the path, the pattern or the query of its input. The input may be cut, so it is not parsed. */
export function subjectOf(input: string): string {
  return /"(?:path|from|pattern|query|title)"\s*:\s*"((?:[^"\\]|\\.){1,120})/.exec(input)?.[1] ?? ''
}
