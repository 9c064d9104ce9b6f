// Notes which sources a run has read, and asks whether one of them is private when that matters. A process sees it at the first
// access to the files or the history of one; a process that continues the run sees it in the stored turns: a tool that reads a
// source names it in the facts of its result, or its call did.

import type { Source, Sources } from '../../../agent/sources.ts'
import type { Turn } from '../../../agent/transcript.ts'

export type WatchedSources = { readonly sources: Sources; readonly hasReadPrivate: () => Promise<boolean> }

type Watch = {
  /** Those that the model sees, also of earlier runs. */
  readonly turns: readonly Turn[]
  /** The names of the sources of this run that not everybody may read. Called once, after a source was read. */
  readonly findPrivate: () => Promise<ReadonlySet<string>>
}

export function watchPrivateReads(sources: Sources, { turns, findPrivate }: Watch): WatchedSources {
  const known = new Set(sources.present.map(({ name }) => name))
  const read = new Set(turns.flatMap((turn) => namesIn(turn, known)))
  const watch = (source: Source): Source => {
    const note = <T>(part: T): T => {
      read.add(source.name)
      return part
    }
    const watched = { name: source.name } as Source
    Object.defineProperty(watched, 'files', { enumerable: true, get: () => note(source.files) })
    if (source.history) Object.defineProperty(watched, 'history', { enumerable: true, get: () => note(source.history) })
    return watched
  }
  let asked: Promise<ReadonlySet<string>> | undefined
  const hasReadPrivate = async () => {
    if (read.size === 0) return false
    // A source that an earlier run had, and this one has not, may have been private.
    if ([...read].some((name) => !known.has(name))) return true
    const hidden = await (asked ??= findPrivate())
    return [...read].some((name) => hidden.has(name))
  }
  return { sources: { ...sources, present: sources.present.map(watch) }, hasReadPrivate }
}

function namesIn({ response, results }: Turn, known: ReadonlySet<string>): readonly string[] {
  if (results === undefined || results.length === 0) return []
  const named = results.flatMap(({ facts }) => facts?.source ?? [])
  const calls = known.size === 0 ? '' : JSON.stringify(response?.calls.map(({ input }) => input) ?? [])
  return [...named, ...[...known].filter((name) => calls.includes(`@${name}`))]
}
