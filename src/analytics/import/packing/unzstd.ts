// Decompresses zstd, which neither browsers nor streams of Node.js do completely: frames one after the other, as logs that
// were joined have. Checksums of frames are not compared; damage shows where the data cannot be decoded.

import { Decompress, ZstdErrorCode } from 'fzstd'
import type { Damage } from './packing.ts'

/** Small, because four bytes can decompress to 128 KiB. */
const pieceBytes = 1_024

/** Never throws for corrupt data: yields the bytes before the damage, and sets `progress.damage`. */
export async function* unzstd(
  source: AsyncIterable<Uint8Array>,
  progress: { damage: Damage | undefined },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const ready: Uint8Array<ArrayBuffer>[] = []
  // The bytes of a block may be part of a piece, which is not used again.
  const frames = new Decompress((block) => void ready.push(new Uint8Array(block)))
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      progress.damage = push(frames, chunk.subarray(at, at + pieceBytes))
      yield* ready.splice(0)
      if (progress.damage !== undefined) return
    }
  }
  progress.damage = push(frames, new Uint8Array(), true)
  yield* ready.splice(0)
}

function push(frames: Decompress, piece: Uint8Array, isLast = false): Damage | undefined {
  try {
    frames.push(piece, isLast)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === ZstdErrorCode.UnexpectedEOF ? 'truncated' : 'corrupt'
  }
}
