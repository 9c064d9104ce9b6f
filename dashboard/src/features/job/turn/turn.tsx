// One turn of the agent: its text, its tool calls, and what it was given. Calls are folded.

import type { Item } from '../items.ts'
import { Prose } from '../../../prose/prose.tsx'
import { CallLine } from './call-line.tsx'
import { Details } from './details.tsx'

type Props = {
  readonly turn: Extract<Item, { readonly kind: 'turn' }>
  /** Which calls of the page are unfolded: rows leave the document when they are out of sight. */
  readonly unfolded: ReadonlySet<string>
  readonly onFold: (key: string) => void
}

export function Turn({ turn, unfolded, onFold }: Props) {
  const { id, runId, number, text, calls, finished } = turn
  return (
    <div className="py-1.5">
      {text !== '' && <Prose text={text} />}
      <ul className={text === '' ? '' : 'mt-1.5'}>
        <li>
          <Details turn={turn} isOpen={unfolded.has(`${id}`)} onFold={() => onFold(`${id}`)} />
        </li>
        {calls.map((call) => {
          const key = `${id}:${call.index}`
          const place = { runId, turn: number }
          return <CallLine key={key} call={call} place={place} isOpen={unfolded.has(key)} onFold={() => onFold(key)} />
        })}
      </ul>
      {finished && (
        <div className="mt-1.5 rounded-lg border border-line bg-raised px-4 py-3">
          {finished.title !== '' && <p className="font-medium">{finished.title}</p>}
          <Prose text={finished.text} />
          {finished.reply !== '' && (
            <>
              <p className="mt-3 font-medium">To you</p>
              <Prose text={finished.reply} />
            </>
          )}
        </div>
      )}
    </div>
  )
}
