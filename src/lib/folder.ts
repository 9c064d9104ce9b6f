// Folders that only their owner may enter, and whose entries survive a power failure.

import { chmod, mkdir, open } from 'node:fs/promises'

/** Creates the folder for its owner only, regardless of the rights on its parent folder, or removes the rights of other users if it exists. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

/** Writes the names of the entries to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
