// A folder with the key for one call of ssh, because ssh reads keys from files only. The folder is in memory if the machine
// has a file system for that. No other user can enter it, and it is removed after the call.

import { createHash } from 'node:crypto'
import { access, constants, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const memory = '/dev/shm'

/** The prefix of the folders of one engine. Other engines may use the same parent folder. */
export function keyFolderPrefix(fallback: string): string {
  return `docent-ssh-${createHash('sha256').update(fallback).digest('hex').slice(0, 12)}-`
}

/** `fallback` is the private folder to use if there is no such file system. `files` has the texts by file name. */
export async function withKeyFolder<T>(
  fallback: string,
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(await parentFolder(fallback), keyFolderPrefix(fallback)))
  try {
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' })
    }
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes folders that killed processes of this engine left behind: those older than any call can be. */
export async function removeOldKeys(fallback: string, maxAgeMs: number): Promise<void> {
  const prefix = keyFolderPrefix(fallback)
  for (const parent of [memory, fallback]) {
    const names = await readdir(parent).catch(() => [])
    for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
      // Folders of other users are not removed.
      if (Date.now() - mtimeMs > maxAgeMs) await rm(path, { recursive: true, force: true }).catch(() => {})
    }
  }
}

async function parentFolder(fallback: string): Promise<string> {
  return await access(memory, constants.W_OK | constants.X_OK).then(
    () => memory,
    () => fallback,
  )
}
