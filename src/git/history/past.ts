// The past of a repository: its log, its changes, and names of its commits. The same for the docs and for sources; the commits
// of the history have to be here, contents need not.

import type { HistoryFetch } from '../cache/history-fetch.ts'
import type { Past, RemoteRefs } from '../types.ts'
import { readLog } from './log.ts'
import { describeMainline, readMainline } from './mainline.ts'
import { type ResolveContext, resolveName } from './resolve.ts'
import { type ShowContext, showChange } from './show-change.ts'

type Options = {
  readonly historyFetch: Pick<HistoryFetch, 'arrived'>
  readonly bring?: ShowContext['bring']
  readonly bringCommit?: ResolveContext['bring']
}

/** `keep`: is given the result of each fetch, and returns it. */
export function createPast(options: Options): Pick<Past, keyof Past> & {
  readonly keep: <T extends Pick<RemoteRefs, 'tags'>>(refs: T) => T
  /** Those of the last fetch. */
  readonly tags: () => RemoteRefs['tags']
} {
  const { historyFetch, bring, bringCommit } = options
  const state: { tags: RemoteRefs['tags'] } = { tags: new Map() }
  return {
    keep: (refs) => {
      state.tags = refs.tags
      return refs
    },
    tags: () => state.tags,
    tagsOf: (commit) => state.tags.get(commit) ?? [],
    mainline: async (query, signal) => await readMainline(await historyFetch.arrived(signal), query, signal),
    describe: async (commits, signal) => await describeMainline(await historyFetch.arrived(signal), commits, signal),
    log: async (query, signal) => {
      const mirror = await historyFetch.arrived(signal)
      return await readLog({ mirror, tags: state.tags }, query, signal)
    },
    showChange: async (query, signal) => {
      const mirror = await historyFetch.arrived(signal)
      return await showChange(bring === undefined ? { mirror } : { mirror, bring }, query, signal)
    },
    resolve: async (name, at, signal) => {
      const mirror = await historyFetch.arrived(signal)
      return await resolveName({ mirror, tags: state.tags, bring: bringCommit }, name, at, signal)
    },
  }
}
