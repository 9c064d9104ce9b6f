// A folder that only its owner may enter, whatever the folder around it allows.

import { chmod, mkdir } from 'node:fs/promises'

/** Makes it when it is missing, and takes the rights of others away when it exists. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}
