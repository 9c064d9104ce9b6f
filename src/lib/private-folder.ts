// A folder that only its owner may enter, regardless of the rights on its parent folder.

import { chmod, mkdir } from 'node:fs/promises'

/** Creates the folder, or removes the rights of other users if it exists. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}
