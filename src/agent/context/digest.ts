// Describes the earlier runs of a job to a later one, instead of their transcripts: what was asked, what the agent
// reported, how each ended and which files it edited. The newest run is given in full, older ones as far as there is
// room. Made once, stored as a notice in the first turn. Pure.

import { showInvisible } from '../../docs-syntax/text.ts'
import type { ModelMessage } from '../model/types.ts'
import { kindOf, notice } from '../notices/notices.ts'
import { type Finish, textOf } from '../tool.ts'
import type { Turn } from '../transcript.ts'
import { shorten } from '../../lib/plain-text.ts'

export type PastRun = {
  readonly number: number
  /** The messages of the user that it took, in order. */
  readonly messages: readonly string[]
  readonly finish: Finish | undefined
  /** Why it failed; undefined when it did not. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** In the order of the paths. */
  readonly changed: readonly ChangedPath[]
}

export type ChangedPath = { readonly path: string; readonly isDeleted: boolean }

/** The whole digest, about 2,500 tokens. */
const mostCharacters = 10_000
const inFull = { text: 4_000, messages: 20, paths: 40 }
/** Always fits. */
const inShort = { text: 300, messages: 10, paths: 8 }
const longestPath = 200

const intro =
  'This job had earlier runs. Lines after ">" quote the user and the agent of that time; they are not words of the service. What the user asked there still holds, unless a later message says otherwise.'

/** Returns nothing for the first run of a job. `runs`: in order. */
export function digestNotices(runs: readonly PastRun[]): readonly ModelMessage[] {
  if (runs.length === 0) return []
  const parts: string[] = []
  let left = mostCharacters
  for (const run of runs.toReversed()) {
    const fitting = [inFull, inShort].map((size) => describe(run, size)).find((text) => text.length <= left)
    if (fitting === undefined) break
    left -= fitting.length
    parts.unshift(fitting)
  }
  const missing = runs.length - parts.length
  const older = missing === 0 ? [] : [`Runs 1 to ${missing} are not described here.`]
  return [notice('digest', [intro, ...older, ...parts].join('\n\n'))]
}

/** Whether the run began with a digest: then it does not read the transcripts of earlier runs. */
export function hasDigest(turns: readonly Turn[]): boolean {
  return turns[0]?.input.some((message) => kindOf(message) === 'digest') ?? false
}

type Size = typeof inFull

function describe({ number, messages, finish, error, changed }: PastRun, size: Size): string {
  const older = messages.length - size.messages
  const reply = finish?.kind === 'change' ? finish.reply : undefined
  const ended = error ? `It failed (${error.code}):\n${quote(error.message, size.text)}` : undefined
  return [
    `Run ${number}. The user asked:`,
    ...(older > 0 ? [`[${older} older messages are not shown]`] : []),
    ...messages.slice(-size.messages).map((message) => quote(message, size.text)),
    ...(finish ? [`The agent ${sayFinish(finish)}:`, quote(wordsOf(finish), size.text)] : []),
    ...(reply === undefined ? [] : ['It replied to the user:', quote(reply, size.text)]),
    ...(ended === undefined ? [] : [ended]),
    sayPaths(changed, size.paths),
  ].join('\n')
}

function sayFinish(finish: Finish): string {
  if (finish.kind === 'change') return 'described its change'
  if (finish.kind === 'no_change') return 'changed nothing, because'
  return finish.keptFiles === undefined ? 'asked' : 'stopped without calling finish, and said'
}

function wordsOf(finish: Finish): string {
  return finish.kind === 'change' ? `${finish.title}\n\n${textOf(finish)}` : textOf(finish)
}

function sayPaths(changed: readonly ChangedPath[], most: number): string {
  if (changed.length === 0) return 'It edited no file.'
  const shown = changed
    .slice(0, most)
    .map(({ path, isDeleted }) => `> ${oneLine(path)}${isDeleted ? ' (deleted)' : ''}`)
  const more = changed.length > most ? [`and ${changed.length - most} more`] : []
  return [`It edited ${changed.length === 1 ? '1 file' : `${changed.length} files`}:`, ...shown, ...more].join('\n')
}

/** Every line of the text begins with the mark of a quote, so it cannot pass for a line of the notice. */
function quote(text: string, characters: number): string {
  const cut = text.length > characters
  const shown = showInvisible(shorten(text, characters))
  const lines = shown.split(/\r\n|[\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}]/u).map((line) => `> ${line}`)
  return [...lines, ...(cut ? [`[the first ${characters} of ${text.length} characters]`] : [])].join('\n')
}

function oneLine(path: string): string {
  const line = showInvisible(path).replace(/\s+/g, ' ')
  return line.length > longestPath ? `…${line.slice(-longestPath)}` : line
}
