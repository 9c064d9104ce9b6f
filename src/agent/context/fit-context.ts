// Fits a conversation into a model's context. Messages are added one after another; when the context is nearly full, the
// oldest are shortened in one large step, so that steps are rare and a provider's prompt cache keeps its prefix. The
// result depends on the messages alone, never on when they were added: a continued run sends what it sent before.
//
//   above the high share:  1. shorten the oldest messages   2. replace the oldest by a list of their calls
//   above the limit:       3. shorten the newest answer, and cut its results

import { Failure } from '../../lib/failure.ts'
import type { ModelMessage } from '../model/types.ts'
import { type LeftOut, leaveOut, nothingLeftOut, sayLeftOut } from './left-out.ts'
import { cutResults, shorten, sizeOf } from './shorten.ts'

/** Characters per token, a low estimate for English prose and code (published measurements: 3.2 to 4.5). */
export const charactersPerToken = 3
/** A step begins above the first share of the context, and makes it smaller than the second. */
const highShare = 0.85
const lowShare = 0.6

type Entry = {
  readonly message: ModelMessage
  readonly size: number
  /** Set in the notice that stands for turns. */
  readonly leftOut?: LeftOut
}

export type FitOptions = {
  /** Infinity: nothing is shortened. */
  readonly contextTokens: number
  /** The size of instructions and tools. */
  readonly fixedCharacters: number
  /** In the notice about messages that were left out. */
  readonly nonce: string
}

export interface Fitter {
  add(message: ModelMessage): void
  /** Throws `context_exceeded` when what must stay is too long: the instructions and the messages of the user. */
  messages(): readonly ModelMessage[]
  /** The characters of a request with these messages. */
  size(): number
  /** Steps that were taken so far. */
  steps(): number
}

export function createFitter({ contextTokens, fixedCharacters, nonce }: FitOptions): Fitter {
  const limit = contextTokens * charactersPerToken
  const fitting: Fitting = { entries: [], total: fixedCharacters, next: 0, low: limit * lowShare, limit, nonce }
  const state = { steps: 0 }
  return {
    add: (message) => {
      const size = sizeOf(message.content)
      fitting.entries.push({ message, size })
      fitting.total += size
      if (fitting.total > limit * highShare && makeRoom(fitting)) state.steps += 1
    },
    messages: () => {
      if (fitting.total <= limit) return fitting.entries.map(({ message }) => message)
      throw new Failure('context_exceeded', 'The conversation does not fit into the context of the model any more.')
    },
    size: () => fitting.total,
    steps: () => state.steps,
  }
}

type Fitting = {
  readonly entries: Entry[]
  /** The size of all entries and of what is fixed. */
  total: number
  /** The first entry that may still be long. */
  next: number
  readonly low: number
  readonly limit: number
  readonly nonce: string
}

/** Returns whether anything got shorter. */
function makeRoom(fitting: Fitting): boolean {
  const before = fitting.total
  shortenOldest(fitting)
  if (fitting.total > fitting.low) leaveOutOldest(fitting)
  if (fitting.total > fitting.limit) shortenNewest(fitting)
  return fitting.total < before
}

function shortenOldest(fitting: Fitting): void {
  const end = newestOf(fitting.entries)
  for (; fitting.total > fitting.low && fitting.next < end; fitting.next += 1) {
    replace(fitting, fitting.next, shorten)
  }
}

function leaveOutOldest(fitting: Fitting): void {
  const { entries } = fitting
  for (let at = 0; fitting.total > fitting.low && at < newestOf(entries); at += 1) {
    if (entries[at]?.message.role === 'user') continue
    const first = entries[at - 1]?.leftOut ? at - 1 : at
    putNotice(fitting, first, at)
    at = first
  }
  fitting.next = newestOf(entries)
}

function shortenNewest(fitting: Fitting): void {
  const { entries, low, limit } = fitting
  for (let at = newestOf(entries); at < entries.length && fitting.total > limit; at += 1) {
    const room = (entries[at]?.size ?? 0) - (fitting.total - low)
    replace(fitting, at, (message) => (message.role === 'tool' ? cutResults(message, room) : shorten(message)))
  }
}

function replace(fitting: Fitting, at: number, change: (message: ModelMessage) => ModelMessage): void {
  const entry = fitting.entries[at]
  const message = entry && change(entry.message)
  if (!message || entry.message === message) return
  const size = sizeOf(message.content)
  fitting.total += size - entry.size
  fitting.entries[at] = { ...entry, message, size }
}

/** The place of the newest answer, whose results the model has not seen yet. */
function newestOf(entries: readonly Entry[]): number {
  const answer = entries.findLastIndex(({ message }) => message.role === 'assistant')
  return answer === -1 ? entries.length - 1 : answer
}

/** Replaces the entries from `first` by one notice: at most the notice before, and the answer with its results. */
function putNotice(fitting: Fitting, first: number, answer: number): void {
  const { entries, nonce } = fitting
  let end = answer + 1
  while (entries[end]?.message.role === 'tool') end += 1
  const removed = entries.slice(first, end)
  if (removed.length === 0) return
  const turn = entries.slice(answer, end).map(({ message }) => message)
  const leftOut = leaveOut(removed[0]?.leftOut ?? nothingLeftOut, turn)
  const note = sayLeftOut(leftOut, nonce)
  const size = sizeOf(note.content)
  entries.splice(first, removed.length, { message: note, size, leftOut })
  fitting.total += size - removed.reduce((sum, entry) => sum + entry.size, 0)
}
