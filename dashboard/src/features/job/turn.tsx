// One turn of the agent: its text, and its tool calls, each folded to its subject and the first line of its result.

import type { Call, Item } from './items.ts'
import { Prose } from './prose/prose.tsx'

type Props = {
  readonly turn: Extract<Item, { readonly kind: 'turn' }>
  /** Which calls of the page are unfolded: rows leave the document when they are out of sight. */
  readonly unfolded: ReadonlySet<string>
  readonly onFold: (key: string) => void
}

export function Turn({ turn, unfolded, onFold }: Props) {
  const { id, text, calls, finished } = turn
  return (
    <div className="py-1.5">
      {text !== '' && <Prose text={text} />}
      {calls.length > 0 && (
        <ul className={text === '' ? '' : 'mt-1.5'}>
          {calls.map((call, index) => {
            const key = `${id}:${index}`
            return <CallLine key={key} call={call} isOpen={unfolded.has(key)} onFold={() => onFold(key)} />
          })}
        </ul>
      )}
      {finished && (
        <div className="mt-1.5 rounded-lg border border-line bg-raised px-4 py-3">
          {finished.title !== '' && <p className="font-medium">{finished.title}</p>}
          <Prose text={finished.text} />
        </div>
      )}
    </div>
  )
}

type CallProps = { readonly call: Call; readonly isOpen: boolean; readonly onFold: () => void }

function CallLine({ call, isOpen, onFold }: CallProps) {
  const { name, subject, input, result } = call
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onFold}
        className="flex w-full cursor-pointer items-baseline gap-2 rounded px-1.5 py-0.5 text-left text-sm hover:bg-sunken"
      >
        <span aria-hidden className="w-2 shrink-0 text-xs text-muted">
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="shrink-0 font-mono text-[0.8125rem]">{name}</span>
        <span className="min-w-0 shrink truncate text-muted">{subject}</span>
        <Result result={result} />
      </button>
      {isOpen && (
        <div className="mt-1 mb-2 ml-5 flex flex-col gap-1">
          <pre
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem] whitespace-pre-wrap"
          >
            {input}
          </pre>
          {result && <p className={`text-sm ${result.isError ? 'text-bad' : 'text-muted'}`}>{result.summary}</p>}
        </div>
      )}
    </li>
  )
}

function Result({ result }: Pick<Call, 'result'>) {
  if (result === undefined) return <span className="ml-auto shrink-0 text-xs text-muted">Running…</span>
  return (
    <span className={`ml-auto max-w-[45%] shrink-0 truncate pl-3 ${result.isError ? 'text-bad' : 'text-muted'}`}>
      {result.isError && <span className="font-medium">Error: </span>}
      {result.summary}
    </span>
  )
}
