// One source: a repository of the product that is read and never written. Its mirror has the newest commit with the contents
// of visible files, later the commits and folders of the history, and contents of the past that were asked for. A content is
// in the mirror or it is not: no command here meets a missing one and connects to the host for it.

import { missingOf } from '../read/sizes.ts'
import { Failure } from '../../lib/failure.ts'
import { createFetch } from '../cache/fetch.ts'
import { createHistoryFetch } from '../cache/history-fetch.ts'
import { createLock } from '../cache/lock.ts'
import { endReading, type Mirror, removeMirror, withMirror } from '../cache/mirror.ts'
import { createPast } from '../history/past.ts'
import { createHistory } from '../read/history.ts'
import { keepByCommit } from '../read/tree.ts'
import { isPublic, probeRead } from '../transport/access.ts'
import { probe } from '../transport/remote.ts'
import type { Oid, SourceRepository, WantedSource } from '../types.ts'
import { listCommit } from './listing.ts'
import { bringCommit, bringContents, bringWithHistory, bringWithoutContents, withoutContents } from './partial-fetch.ts'
import { createPins } from './pins.ts'
import { keepTrees } from './kept-trees.ts'
import { openSourcePast } from './source-past.ts'
import { bringVisible } from './visible.ts'

export type OpenSource = {
  readonly source: SourceRepository
  /** Deletes the mirror after the current fetch. */
  remove(): Promise<void>
  /** Ends the processes that read the mirror, and the fetch of the history. */
  end(): Promise<void>
}

export function openSource(mirror: Mirror): OpenSource {
  const lock = createLock()
  const place = { mirror, lock }
  const list = keepByCommit(mirror, (commit) => listCommit(mirror, commit))
  const trees = keepTrees(mirror, list)
  const bring = bringWithoutContents(mirror)
  const fetch = createFetch({ ...place, published: mirror, inspect: list, bring, packing: 'partial' })
  const historyFetch = createHistoryFetch({ ...place, flags: [withoutContents] })

  async function ensure(commit: Oid, wanted: WantedSource, signal: AbortSignal): Promise<void> {
    const isMissing = async () => (await mirror.objects.read(commit)) === undefined
    await lock(async () => await withMirror(mirror, async () => {}))
    if (await isMissing()) await bringCommit(place, commit, signal)
    if (await isMissing()) throw new Failure('not_found', 'The host does not have this commit of the source any more.')
    await bringInto(commit, wanted, signal)
  }

  async function bringInto(commit: Oid, { branch, isVisible }: WantedSource, signal: AbortSignal): Promise<void> {
    const tree = await trees.load(commit, isVisible)
    if (await bringVisible(place, { branch, listing: await list(commit), tree }, signal)) trees.forget()
  }

  const bringBlobs: SourceRepository['bringBlobs'] = async (oids, signal) => {
    const missing = await missingOf(mirror, oids)
    if (missing.length === 0) return
    const isBrought = await bringContents(place, missing, signal)
    trees.forget()
    if (isBrought) return
    throw new Failure('not_found', 'The host does not give a content of the past of this source.')
  }

  const { keep, tags, ...past } = createPast({
    historyFetch,
    bring: bringBlobs,
    bringCommit: (commit, signal) => bringWithHistory(place, commit, signal),
  })
  const source: SourceRepository = {
    maxFileBytes: mirror.options.maxFileBytes,
    fetch: async (wanted, signal) => {
      const { base, tags } = keep(await fetch({ branch: wanted.branch, branches: [] }, signal))
      await bringInto(base.commit, { ...wanted, branch: base.branch }, signal)
      return { ...base, tags }
    },
    ensure,
    ...createPins(mirror),
    ...createHistory(mirror, historyFetch),
    ...past,
    tree: (commit, isVisible) => trees.load(commit, isVisible),
    pastOf: (pin) => openSourcePast({ mirror, historyFetch, trees, tags, bringBlobs }, pin),
    bringHistory: historyFetch.begin,
    bringBlobs,
    probe: (branch, signal) => probe(mirror, branch, signal),
    probeRead: (signal) => probeRead(mirror, signal),
    isPublic: (signal) => isPublic(mirror, signal),
  }
  return {
    source,
    remove: async () => await lock(async () => await removeMirror(mirror)),
    end: async () => {
      await Promise.all([endReading(mirror), historyFetch.end()])
    },
  }
}
