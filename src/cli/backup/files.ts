// What backing up and restoring both need of the file system.

import { access, open } from 'node:fs/promises'

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Makes sure that the names in the folder are on the disk. */
export async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
