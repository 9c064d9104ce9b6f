// Fetches the published lists of addresses again. A list that cannot be fetched or is invalid keeps its previous
// version and reports why. Nothing here runs by itself: an operator starts it.

import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import type { Clock } from '../../../lib/clock.ts'
import { loadRanges, toFile } from './load-ranges.ts'
import { type RangeSource, rangeSources } from './range-sources.ts'
import { readDocument, type Snapshot } from './snapshot.ts'

export type Fetch = (address: string, options: RequestInit) => Promise<Response>

export type Refreshed = {
  readonly source: RangeSource
  /** The list that is used after the refresh. Undefined: there is no list. */
  readonly snapshot: Snapshot | undefined
  /** The age of the list in whole days, by the operator's date. */
  readonly ageDays: number | undefined
  readonly added: number
  readonly removed: number
  /** The reason of a failure. Undefined: the refresh succeeded. */
  readonly problem: string | undefined
}

/** Two megabytes are enough for 40,000 prefixes. */
const maxBytes = 2 * 1024 * 1024
const deadlineMs = 15_000

/** Fetches the lists one after the other, so that an operator of four lists receives one request at a time. */
export async function refreshRanges(
  directory: string,
  fetch: Fetch,
  clock: Clock,
  sources: readonly RangeSource[] = rangeSources,
): Promise<readonly Refreshed[]> {
  await mkdir(directory, { recursive: true })
  const before = new Map((await loadRanges(directory, sources)).map((snapshot) => [snapshot.id, snapshot]))
  const refreshed: Refreshed[] = []
  for (const source of sources)
    refreshed.push(await refresh({ directory, fetch, clock }, source, before.get(source.id)))
  return refreshed
}

type Means = { readonly directory: string; readonly fetch: Fetch; readonly clock: Clock }

async function refresh(means: Means, source: RangeSource, before: Snapshot | undefined): Promise<Refreshed> {
  try {
    const snapshot = readDocument(source, await download(means, source.address))
    if (before && snapshot.date < before.date) {
      return toRefreshed(means, {
        source,
        before,
        snapshot: before,
        problem: `It is older than ours: ${snapshot.date}.`,
      })
    }
    await write(toFile(means.directory, source), `${JSON.stringify(snapshot, null, 2)}\n`)
    return toRefreshed(means, { source, before, snapshot, problem: undefined })
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'It could not be fetched.'
    return toRefreshed(means, { source, before, snapshot: before, problem })
  }
}

type Outcome = Pick<Refreshed, 'source' | 'snapshot' | 'problem'> & { readonly before: Snapshot | undefined }

function toRefreshed({ clock }: Means, { source, before, snapshot, problem }: Outcome): Refreshed {
  const old = new Set(before?.prefixes)
  const now = new Set(snapshot?.prefixes)
  const ageMs = snapshot ? clock.now().getTime() - Date.parse(snapshot.date) : undefined
  return {
    source,
    snapshot,
    ageDays: ageMs === undefined ? undefined : Math.max(0, Math.floor(ageMs / 86_400_000)),
    added: now.difference(old).size,
    removed: old.difference(now).size,
    problem,
  }
}

/** Refuses redirects: a list at another address might not be the operator's. */
async function download({ fetch, clock }: Means, address: string): Promise<string> {
  if (!address.startsWith('https://')) throw new Error('Its address is not https.')
  const stop = new AbortController()
  const over = new AbortController()
  const deadline = clock.sleep(deadlineMs, over.signal).then(() => stop.abort(new Error('It took too long.')))
  try {
    const headers = { accept: 'application/json', 'user-agent': 'docent-refresh-ranges' }
    const response = await fetch(address, { redirect: 'error', headers, signal: stop.signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`The answer was ${response.status}.`)
    }
    return await readBounded(response)
  } finally {
    over.abort()
    await deadline
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  const count = { bytes: 0 }
  for await (const chunk of response.body ?? []) {
    count.bytes += chunk.byteLength
    if (count.bytes > maxBytes) throw new Error('It is larger than 2 MiB.')
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

/** Writes atomically: a reader never sees half a list. */
async function write(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomUUID()}`
  try {
    await writeFile(beside, text, { flag: 'wx', flush: true })
    await rename(beside, file)
  } finally {
    await rm(beside, { force: true })
  }
}
