// Decompresses zstd, which browsers do not: frames one after the other, as logs that were joined have. Checksums of frames are
// not compared; damage shows where the data cannot be decoded.

import { Decompress, ZstdErrorCode } from 'fzstd'
import type { Progress } from '../../../../../src/analytics/import/log-file.ts'
import { readAll } from './gunzip.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Small, because four bytes can decompress to 128 KiB. */
const pieceBytes = 1_024

/** Never throws for corrupt data: yields what comes before the damage, and sets `progress.damage`. */
export async function* unzstd(data: Blob, progress: Progress): AsyncGenerator<Bytes> {
  const ready: Bytes[] = []
  // The bytes of a block may be part of a piece, which is not used again.
  const frames = new Decompress((block) => void ready.push(new Uint8Array(block)))
  progress.bytesRead = 0
  for await (const piece of split(data)) {
    const damage = push(frames, piece)
    progress.bytesRead += piece.length
    yield* ready.splice(0)
    if (damage === undefined) continue
    progress.damage = damage
    return
  }
  progress.damage = push(frames, new Uint8Array(), true)
  yield* ready.splice(0)
}

function push(frames: Decompress, piece: Uint8Array, isLast = false): Progress['damage'] {
  try {
    frames.push(piece, isLast)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === ZstdErrorCode.UnexpectedEOF ? 'truncated' : 'corrupt'
  }
}

async function* split(data: Blob): AsyncGenerator<Bytes> {
  for await (const chunk of readAll(data.stream())) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
}
