// Which history a call is about: that of a source, whose name begins the path, or that of the documentation.

import { Failure } from '../../../lib/failure.ts'
import type { History } from '../../history.ts'
import { noSources, placeOf } from '../../sources.ts'
import type { ToolContext } from '../../tool.ts'

/** `path`: in its repository. Undefined: all of it. `prefix`: comes before its paths in results. */
export type Past = { readonly history: History; readonly path: string | undefined; readonly prefix: string }

/** A repository without tags and sources has no past that a job is about. */
export function hasPast({ history, sources = noSources }: ToolContext): Promise<boolean> {
  return Promise.resolve(sources.present.length > 0 || history?.hasTags === true)
}

/** Throws `path_refused` for a source that the run lacks, and where there is no history. */
export function historyOf(path: string | undefined, { history, sources = noSources }: ToolContext): Past {
  const place = placeOf(path ?? '', sources)
  const found = place.source ? place.source.history : history
  if (!found) throw new Failure('path_refused', 'The history is not known here.')
  const within = place.path.replace(/\/+$/, '')
  return { history: found, path: within === '' || within === '.' ? undefined : within, prefix: place.prefix }
}
