// One tool call: folded to its subject and the first line of its result, unfolded to all that it was given and answered.

import type { Call } from '../items.ts'
import { Fold, FoldedText } from './fold.tsx'
import { type TurnPlace, WholeTurn } from './whole-turn.tsx'

type Props = {
  readonly call: Call
  readonly place: TurnPlace
  readonly isOpen: boolean
  readonly onFold: () => void
}

export function CallLine({ call, place, isOpen, onFold }: Props) {
  const { name, subject, result } = call
  return (
    <li>
      <Fold verb="Ran" name={name} about={subject} isOpen={isOpen} onFold={onFold} aside={<Result result={result} />}>
        {/* The transcript of a turn changes when its results come. */}
        <WholeTurn key={result === undefined ? 'running' : 'ended'} place={place} without={<Shortened call={call} />}>
          {({ response, results }) => {
            const whole = response?.calls[call.index]
            const answer = results?.find(({ callId }) => callId === whole?.id)
            if (whole === undefined) return <Shortened call={call} />
            return (
              <>
                <FoldedText label={`Input of ${name}`} text={JSON.stringify(whole.input, null, 2)} />
                {answer && <FoldedText label={`Result of ${name}`} text={answer.text} isBad={answer.isError} />}
              </>
            )
          }}
        </WholeTurn>
      </Fold>
    </li>
  )
}

/** The part of a call that its events have: all that there is once the transcript is erased. */
function Shortened({ call: { name, input, result } }: Pick<Props, 'call'>) {
  return (
    <>
      <FoldedText label={`Input of ${name}`} text={input} />
      {result && <p className={`text-sm ${result.isError ? 'text-bad' : 'text-muted'}`}>{result.summary}</p>}
    </>
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
