// The parts of a turn besides its calls: the input of the model, its wrong calls, the model, and the changed files.

import type { TranscriptTurn } from '../../../api/job/transcript.ts'
import type { Item } from '../items.ts'
import { Fold, FoldedText } from './fold.tsx'
import { nameInput } from './input-name.ts'
import { WholeTurn } from './whole-turn.tsx'

type Props = {
  readonly turn: Extract<Item, { readonly kind: 'turn' }>
  readonly isOpen: boolean
  readonly onFold: () => void
}

export function Details({ turn, isOpen, onFold }: Props) {
  const { runId, number, usage } = turn
  const { inputTokens, outputTokens } = usage
  // The built-in model uses no tokens.
  const tokens = inputTokens + outputTokens > 0 && (
    <span className="ml-auto shrink-0 pl-3 text-muted tabular-nums">
      {inputTokens.toLocaleString('en')} + {outputTokens.toLocaleString('en')} tokens
    </span>
  )
  return (
    <Fold
      name={`turn ${number}`}
      about={number === 1 ? 'read the brief and the first message' : 'read the results'}
      isOpen={isOpen}
      onFold={onFold}
      aside={tokens}
    >
      <WholeTurn place={{ runId, turn: number }}>{(whole) => <Whole turn={whole} />}</WholeTurn>
    </Fold>
  )
}

function Whole({ turn: { input, response, edits, isRedacted } }: { readonly turn: TranscriptTurn }) {
  return (
    <>
      {input.map(({ notice, text }, index) => (
        // eslint-disable-next-line no-array-index-key -- the list never changes
        <Named key={index} name={nameInput(notice)} text={text} />
      ))}
      {response?.refusedCalls.map(({ name, input: given, error }, index) => (
        // eslint-disable-next-line no-array-index-key -- the list never changes
        <Named key={index} name={`Wrong call of ${name}`} text={`${JSON.stringify(given)}\n${error}`} isBad />
      ))}
      <p className="text-sm text-muted">
        {response === null ? 'The model has not responded.' : `${response.model}, ended with ${response.finishReason}`}
        {isRedacted && ' · secrets were removed'}
      </p>
      {edits.length > 0 && (
        <p className="text-sm break-all text-muted">
          Changed: {edits.map(({ path, sha256 }) => (sha256 === null ? `${path} (deleted)` : path)).join(', ')}
        </p>
      )}
    </>
  )
}

type NamedProps = { readonly name: string; readonly text: string; readonly isBad?: boolean }

function Named({ name, text, isBad = false }: NamedProps) {
  return (
    <>
      <p className="text-xs text-muted">{name}</p>
      <FoldedText label={name} text={text} isBad={isBad} />
    </>
  )
}
