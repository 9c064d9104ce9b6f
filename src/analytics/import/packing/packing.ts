// Recognises compressed logs by their first bytes. Files that cannot be read as they are, such as archives, are refused.

import { Failure } from '../../../lib/failure.ts'

export type Packing = 'gzip' | 'zstd'
/** Compressed data that end too early, or that cannot be decoded. */
export type Damage = 'truncated' | 'corrupt'

/** The number of first bytes that decide. */
export const headBytes = 4

const packings: readonly { readonly start: readonly number[]; readonly packing: Packing }[] = [
  { start: [0x1f, 0x8b], packing: 'gzip' },
  { start: [0x28, 0xb5, 0x2f, 0xfd], packing: 'zstd' },
]
/** A frame without data, which parallel compressors write first: 0x184D2A50 to 0x184D2A5F (RFC 8878, 3.1.2). */
const isSkippable = ([a = 0, b, c, d]: Uint8Array) => a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18

const refusals = [
  { start: [0x50, 0x4b, 3, 4], words: 'is a zip archive: take the logs out of it first' },
  { start: [0x37, 0x7a, 0xbc, 0xaf], words: 'is a 7z archive: take the logs out of it first' },
  { start: [0x52, 0x61, 0x72, 0x21], words: 'is a rar archive: take the logs out of it first' },
  { start: [0xfd, 0x37, 0x7a, 0x58], words: 'is compressed with xz: decompress it first' },
  { start: [0x42, 0x5a, 0x68], words: 'is compressed with bzip2: decompress it first' },
] as const

/** Undefined: the log is plain. Throws `invalid_input` for a file that is not a log. */
export function packingOf(name: string, head: Uint8Array): Packing | undefined {
  const has = (start: readonly number[]) => start.every((byte, at) => head[at] === byte)
  const refused = refusals.find(({ start }) => has(start))
  if (refused !== undefined) throw new Failure('invalid_input', `${name} ${refused.words}.`)
  return isSkippable(head) ? 'zstd' : packings.find(({ start }) => has(start))?.packing
}
