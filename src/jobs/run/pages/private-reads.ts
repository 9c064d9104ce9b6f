// Notes whether a run has read a source that not everybody may read. A process sees it at the first access to the files or the
// history of one; a process that continues the run sees it in the stored turns: a tool that reads a source names it in the facts
// of its result, or its call did.

import type { Source, Sources } from '../../../agent/sources.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { RunSource } from '../../sources/run-sources.ts'

export type WatchedSources = { readonly sources: Sources; readonly hasReadPrivate: () => boolean }

/** `turns`: those that the model sees, also of earlier runs. `run`: the sources of this one. */
export function watchPrivateReads(
  sources: Sources,
  { run, turns }: { readonly run: readonly RunSource[]; readonly turns: readonly Turn[] },
): WatchedSources {
  const names = new Set(run.filter(({ isPrivate }) => isPrivate).map(({ name }) => name))
  // A source that an earlier run had, and this one has not, may have been private.
  const open = new Set(run.filter(({ isPrivate }) => !isPrivate).map(({ name }) => name))
  const state = { hasRead: turns.some((turn) => namesPrivate(turn, { names, open })) }
  const watch = (source: Source): Source => {
    if (!names.has(source.name)) return source
    const note = <T>(part: T): T => {
      state.hasRead = true
      return part
    }
    const watched = { name: source.name } as Source
    Object.defineProperty(watched, 'files', { enumerable: true, get: () => note(source.files) })
    if (source.history) Object.defineProperty(watched, 'history', { enumerable: true, get: () => note(source.history) })
    return watched
  }
  return { sources: { ...sources, present: sources.present.map(watch) }, hasReadPrivate: () => state.hasRead }
}

type Known = { readonly names: ReadonlySet<string>; readonly open: ReadonlySet<string> }

function namesPrivate({ response, results = [] }: Turn, { names, open }: Known): boolean {
  if (results.some(({ facts }) => facts?.source !== undefined && !open.has(facts.source))) return true
  const calls = names.size === 0 ? '' : JSON.stringify(response?.calls.map(({ input }) => input) ?? [])
  return results.length > 0 && [...names].some((name) => calls.includes(`@${name}`))
}
