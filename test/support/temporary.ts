// Temporary folders of tests. All are in one folder, so leftovers can be detected.

import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const temporaryRoot = join(tmpdir(), `docent-test-${process.pid}`)
mkdirSync(temporaryRoot, { recursive: true })

/** Creates a folder. The caller removes it with `removeFolder`, in an `after` hook or a `finally`. */
export function temporaryFolder(name: string): Promise<string> {
  return mkdtemp(join(temporaryRoot, `${name}-`))
}

/** Processes that just ended may still write there: it is tried again for 20 seconds. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
}

/** Writes text files, by their paths in the folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
