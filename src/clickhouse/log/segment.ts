// A segment: a file of blocks that are not yet in the table. Each block follows its length and its checksum (CRC-32), 32 bits
// each, the lowest byte first. Only the last block may be cut off: it was never acknowledged.

import { crc32 } from 'node:zlib'
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../../lib/folder.ts'

export type Segment = {
  readonly path: string
  /** When it was begun, in milliseconds of `performance.now()`. */
  readonly since: number
  /** Bytes that are synced. */
  size: number
  /** Resolves when the block is synced. After an error the segment takes no more, and holds what it held before. */
  append(block: Buffer): Promise<void>
  close(): Promise<void>
}

const headerSize = 8

export async function createSegment(path: string): Promise<Segment> {
  const file = await open(path, 'ax', 0o600)
  await syncFolder(dirname(path))
  const segment: Segment = {
    path,
    since: performance.now(),
    size: 0,
    append: async (block) => {
      const header = Buffer.alloc(headerSize)
      header.writeUInt32LE(block.length, 0)
      header.writeUInt32LE(crc32(block), 4)
      try {
        await file.appendFile(Buffer.concat([header, block]))
        await file.datasync()
      } catch (error) {
        await file.truncate(segment.size).catch(() => undefined)
        throw error
      }
      segment.size += headerSize + block.length
    },
    close: () => file.close(),
  }
  return segment
}

/**
 * Reads the blocks of a segment in order, one after the other in a buffer. Throws if a block other than the last one is
 * damaged: it was acknowledged.
 */
export async function readBlocks(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  const blocks: Buffer[] = []
  let at = 0
  while (at + headerSize <= bytes.length) {
    const start = at + headerSize
    const end = start + bytes.readUInt32LE(at)
    const block = bytes.subarray(start, end)
    if (end > bytes.length) break
    if (crc32(block) !== bytes.readUInt32LE(at + 4)) {
      if (end === bytes.length) break
      throw new Error(`${path} is damaged at byte ${at}. To start without its page views, move it to another folder.`)
    }
    blocks.push(block)
    at = end
  }
  return Buffer.concat(blocks)
}
