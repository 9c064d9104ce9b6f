// Keeps the facts of pages between two runs of the command, in a folder that only its owner reads: a file for each checked
// folder, and at most 200 MB together. It is a cache: whatever is wrong with it, the check reads the pages again.

import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rm, utimes } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { FactsReader, SiteFacts } from '../../checks/facts/reader.ts'
import type { Environment } from '../../config/environment.ts'
import { makePrivateFolder } from '../../lib/folder.ts'

const maxBytes = 200_000_000

type Wanted = { readonly environment: Environment; readonly folder: string; readonly facts: FactsReader }

/** Runs work with the facts that earlier runs kept of the folder, and keeps those that it read. */
export async function withCache<Result>(
  { environment, folder, facts }: Wanted,
  work: (facts: SiteFacts) => Promise<Result>,
): Promise<Result> {
  const cache = await openCache(environment).catch(() => undefined)
  if (cache === undefined) return await work(facts)
  const name = createHash('sha256').update(await realpath(folder))
  const path = join(cache, name.digest('hex'))
  try {
    return await facts.keptIn(path, work)
  } finally {
    await removeOldest(cache, path).catch(() => undefined)
  }
}

/** Undefined: nobody says where caches are, or somebody else can write there. Throws when the folder cannot be made. */
async function openCache(environment: Environment): Promise<string | undefined> {
  const { XDG_CACHE_HOME: named = '', HOME: home = '' } = environment
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.cache') : undefined
  if (base === undefined) return undefined
  const folder = join(base, 'docent', 'facts')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const part of [join(base, 'docent'), folder]) {
    const found = await lstat(part)
    const isOurs = found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o022) === 0
    if (!isOurs) return undefined
    await makePrivateFolder(part)
  }
  return folder
}

/** Marks the file as used, and removes those that were not used for the longest time. */
async function removeOldest(cache: string, used: string): Promise<void> {
  const now = new Date()
  await utimes(used, now, now).catch(() => undefined)
  const paths = (await readdir(cache)).map((name) => join(cache, name))
  const files = await Promise.all(paths.map(async (path) => ({ path, facts: await lstat(path) })))
  let bytes = 0
  for (const { path, facts } of files.toSorted((a, b) => b.facts.mtimeMs - a.facts.mtimeMs)) {
    bytes += facts.size
    if (bytes > maxBytes) await rm(path, { recursive: true, force: true })
  }
}
