// Writes a file completely or not at all: the content goes to a temporary file, which is renamed once it is on disk.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/**
 * Replaces an existing file. Throws the errors of `chunks`, and an `AbortError` when `stop` is aborted. A killed process
 * leaves its temporary file, `….partial-<id>`.
 */
export async function writeFileAtomically(
  file: string,
  chunks: AsyncIterable<string>,
  stop: AbortSignal,
): Promise<void> {
  const partial = `${file}.partial-${randomUUID()}`
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: 'wx', flush: true }), { signal: stop })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}
