// Reads segments, also damaged ones: every block that proves to be whole, and how many bytes proved nothing. A crash only cuts
// off the last block, which was never acknowledged; everything else that does not fit is damage. Knows both forms of files.

import { crc32 } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { headerSize, isHeader } from './segment.ts'

export type Blocks = {
  /** One block after the other. */
  readonly whole: Buffer
  /** The bytes of a last block that was cut off while it was written. */
  readonly cut: number
  /** True: something else does not fit, so the file must be kept. */
  readonly isDamaged: boolean
  /** Bytes of blocks that cannot be read. 0 although damaged: only a header was. */
  readonly lost: number
}

/** Files of releases whose headers had no checksum end so. Those releases ignore files that end in another way. */
export const oldEnding = '.log'

/** `size`: the bytes that this process synced; 0 for a segment of another one. */
export async function readSegment(path: string, size = 0): Promise<Blocks> {
  const bytes = await readFile(path)
  const blocks = path.endsWith(oldEnding) ? readOld(bytes) : read(bytes)
  const missing = size - bytes.length
  if (missing <= 0) return blocks
  return { ...blocks, isDamaged: true, lost: blocks.lost + blocks.cut + missing, cut: 0 }
}

function read(bytes: Buffer): Blocks {
  const whole: Buffer[] = []
  let [at, lost, isDamaged] = [0, 0, false]
  const end = (cut = 0): Blocks => ({ whole: Buffer.concat(whole), cut, isDamaged, lost })
  while (at < bytes.length) {
    const start = at + headerSize
    if (start > bytes.length) return end(bytes.length - at)
    const isKnown = isHeader(bytes, at)
    const next = isKnown ? start + bytes.readUInt32LE(at) : findHeader(bytes, start)
    if (next > bytes.length) return end(bytes.length - at)
    const block = bytes.subarray(start, next)
    const isWhole = crc32(block) === bytes.readUInt32LE(at + 4)
    if (isWhole) whole.push(block)
    else lost += next - at
    isDamaged ||= !isKnown || !isWhole
    at = next
  }
  return end()
}

/** The place of the first header from `from` on whose block is whole, or else the end. */
function findHeader(bytes: Buffer, from: number): number {
  for (let at = from; at + headerSize <= bytes.length; at += 1) {
    const end = at + headerSize + bytes.readUInt32LE(at)
    if (end <= bytes.length && isHeader(bytes, at)) return at
  }
  return bytes.length
}

/** Before each block its length and its checksum. A wrong length looks like a block that was cut off, so both are damage. */
function readOld(bytes: Buffer): Blocks {
  const whole: Buffer[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const block = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at))
    if (block.length < bytes.readUInt32LE(at) || crc32(block) !== bytes.readUInt32LE(at + 4)) break
    whole.push(block)
    at += 8 + block.length
  }
  const rest = bytes.length - at
  const isCut = rest < 8
  return { whole: Buffer.concat(whole), cut: isCut ? rest : 0, isDamaged: !isCut, lost: isCut ? 0 : rest }
}
