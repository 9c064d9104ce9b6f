// A segment: a file of blocks that are not yet in the table. Before each block is a header of three numbers of 32 bits, the
// lowest byte first: the length of the block, its checksum, and the checksum of these two at this place of the file.
// `read-segment.ts` reads them.

import { crc32 } from 'node:zlib'
import { open } from 'node:fs/promises'
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

export const headerSize = 12
const checkedSize = 8

export async function createSegment(path: string): Promise<Segment> {
  const file = await open(path, 'ax', 0o600)
  await syncFolder(dirname(path))
  const segment: Segment = {
    path,
    since: performance.now(),
    size: 0,
    append: async (block) => {
      try {
        await file.appendFile(Buffer.concat([toHeader(block, segment.size), block]))
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

/** `at`: the place of the header in the file. */
function toHeader(block: Buffer, at: number): Buffer {
  const header = Buffer.alloc(headerSize)
  header.writeUInt32LE(block.length, 0)
  header.writeUInt32LE(crc32(block), 4)
  header.writeUInt32LE(crc32(header.subarray(0, checkedSize), at), checkedSize)
  return header
}

/** The checksum counts the place, so a header never seems to be at another one. `at + headerSize` is within the bytes. */
export function isHeader(bytes: Buffer, at: number): boolean {
  return crc32(bytes.subarray(at, at + checkedSize), at) === bytes.readUInt32LE(at + checkedSize)
}
