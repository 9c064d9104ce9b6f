// A file that is there whole or not at all: what is written stands under another name until all of it is on the disk.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Takes the place of a file that is there. Throws what `chunks` throws, and the reason when `stop` is aborted. */
export async function writeWhole(file: string, chunks: AsyncIterable<string>, stop: AbortSignal): Promise<void> {
  const partial = `${file}.partial-${randomUUID()}`
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: 'wx', flush: true }), { signal: stop })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}
