// Writes a file completely or not at all: the content has a temporary name until all of it is on the disk.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Replaces an existing file. Throws the errors of `chunks`, and the reason of `stop` if it is aborted. */
export async function writeWhole(file: string, chunks: AsyncIterable<string>, stop: AbortSignal): Promise<void> {
  const partial = `${file}.partial-${randomUUID()}`
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: 'wx', flush: true }), { signal: stop })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}
