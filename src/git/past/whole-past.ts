// A commit of a mirror and how its files changed before, once the history is in the mirror.

import { readShallow } from '../cache/beside.ts'
import type { HistoryFetch } from '../cache/history-fetch.ts'
import type { Mirror } from '../cache/mirror.ts'
import type { GitPast } from '../types.ts'
import { readPast } from './past.ts'

type Place = {
  readonly mirror: Pick<Mirror, 'runner' | 'gitDir' | 'objects'>
  readonly historyFetch: Pick<HistoryFetch, 'arrived'>
}

export function openWholePast({ mirror, historyFetch }: Place, pin: Pick<GitPast, 'name' | 'commit'>): GitPast {
  const past = readPast(mirror, pin)
  return {
    ...past,
    // Before the history is here, the newest commit looks like the first one.
    history: async (limit, signal) => {
      const { gitDir } = await historyFetch.arrived(signal)
      // So does the oldest commit of a host that is a shallow copy itself.
      return (await readShallow(gitDir)) === '' ? await past.history(limit, signal) : []
    },
  }
}
