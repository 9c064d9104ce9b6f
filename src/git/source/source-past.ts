// One commit of a source and how its visible files changed before. The contents of the past are not in the mirror at first: they
// are fetched in one request for each list of changes, and never one at a time.

import { abortable } from '../../lib/abortable.ts'
import type { HistoryFetch } from '../cache/history-fetch.ts'
import type { Mirror } from '../cache/mirror.ts'
import { openWholePast } from '../past/whole-past.ts'
import { missingOf } from '../read/sizes.ts'
import type { FileChange, Oid, RemoteRefs, SourceEntry, SourcePast, SourcePin, SourceRepository } from '../types.ts'
import type { KeptTrees } from './kept-trees.ts'
import { readLeftOut } from './left-out.ts'

type Parts = Pick<SourceRepository, 'bringBlobs'> & {
  readonly mirror: Mirror
  readonly historyFetch: Pick<HistoryFetch, 'arrived'>
  readonly trees: Pick<KeptTrees, 'load'>
  readonly tags: () => RemoteRefs['tags']
}

/** So many are fetched for a list of changes, the newest first. */
const mostContents = 5_000
/** A fetch of the next run waits for this one. */
const longestMs = 30_000

export function openSourcePast({ mirror, historyFetch, trees, tags, bringBlobs }: Parts, pin: SourcePin): SourcePast {
  const { commit, isVisible, isWanted } = pin
  const contents = createContents({ mirror, bringBlobs })
  const objects = {
    ...mirror.objects,
    read: async (oid: Oid) => (contents.has(oid) ? await mirror.objects.read(oid) : undefined),
  }
  const past = openWholePast({ mirror: { ...mirror, objects }, historyFetch }, pin)
  return {
    ...past,
    files: async () => {
      const leftOut = await readLeftOut(mirror)
      // Such a content is over the limit; its size is not known.
      const sizeOf = ({ oid, size, isFetched }: SourceEntry) =>
        !isFetched && leftOut.has(oid) ? mirror.options.maxFileBytes + 1 : size
      const entries = (await trees.load(commit, isVisible)).entries()
      return entries.filter(({ kind }) => kind !== 'unnameable').map((entry) => ({ ...entry, size: sizeOf(entry) }))
    },
    read: async (files, onFile, signal) => {
      await contents.look(files.map(({ oid }) => oid))
      await past.read(files, onFile, signal)
    },
    history: async (limit, signal) => {
      const revisions = await past.history(limit, signal)
      return revisions.map((revision) => ({ ...revision, tags: tags().get(revision.commit) ?? [] }))
    },
    changes: async (spans, signal, path) => {
      const changes = await past.changes(spans, signal, path)
      const visible = changes.map((files) => files.filter((file) => isVisible(file.path)))
      // In many spans, each content is the later one of a span and the earlier one of the next.
      const sidesOf = ({ before, after }: FileChange) =>
        spans.length === 1 || path !== undefined ? [before, after] : [before]
      const wanted = visible.flat().filter((file) => path !== undefined || isWanted(file.path))
      await contents.bring(
        wanted.flatMap(sidesOf).filter((oid) => oid !== null),
        signal,
      )
      return visible
    },
    settled: contents.settled,
  }
}

/** Knows which contents are in the mirror. git would start a process for each one that is not. */
function createContents({ mirror, bringBlobs }: Pick<Parts, 'mirror' | 'bringBlobs'>) {
  const present = new Set<Oid>()
  const state = { late: [] as Promise<boolean>[] }
  const look = async (oids: readonly Oid[]) => {
    const unknown = oids.filter((oid) => !present.has(oid))
    if (unknown.length === 0) return []
    const missing = new Set(await missingOf(mirror, unknown))
    for (const oid of unknown) if (!missing.has(oid)) present.add(oid)
    return [...missing]
  }
  return {
    has: (oid: Oid) => present.has(oid),
    look,
    bring: async (oids: readonly Oid[], signal: AbortSignal) => {
      const missing = (await look(oids)).slice(0, mostContents)
      if (missing.length === 0 || signal.aborted) return
      const brought = bringBlobs(missing, AbortSignal.timeout(longestMs)).then(
        () => true,
        () => false,
      )
      await abortable(brought, signal).catch(() => state.late.push(brought))
    },
    settled: async (signal: AbortSignal) => {
      const late = state.late.splice(0)
      return (await abortable(Promise.all(late), signal)).includes(true)
    },
  }
}
