// Writes and reads tar archives (ustar) as streams: only regular files with short names. Reading throws for every other
// kind of entry, and for an archive that is damaged or incomplete.

import { buffer } from 'node:stream/consumers'

export type TarEntry = { readonly name: string; readonly size: number; readonly content: AsyncIterable<Uint8Array> }

const blockBytes = 512
const maxNameBytes = 99
/** The largest chunk that a reader yields. */
const chunkBytes = 64 * 1024

/** The bytes of the archive. Throws when a content does not have exactly its `size`. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, date: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield header(name, size, date)
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      yield chunk
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`)
    yield new Uint8Array(padding(size))
  }
  yield new Uint8Array(2 * blockBytes)
}

/** The entries in order. Read each content before you take the next entry. Throws when the archive is damaged. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = createReader(source)
  for (;;) {
    const block = await reader.read(blockBytes)
    if (block.every((byte) => byte === 0)) break
    const { name, size } = parseHeader(block)
    yield { name, size, content: reader.stream(size) }
    await reader.read(padding(size))
  }
  await reader.expectZeros()
}

function padding(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes
}

function header(name: string, size: number, date: Date): Uint8Array {
  if (Buffer.byteLength(name) > maxNameBytes) throw new Error(`the name ${name} is too long for an archive`)
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  block.write(name, 0)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(Math.floor(date.getTime() / 1_000), 12), 136)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  block.write(`${octal(checksum(block), 7)}\u0000 `, 148)
  return block
}

/** The sum of the block's bytes, with spaces in the checksum's own field. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function parseHeader(block: Buffer): { readonly name: string; readonly size: number } {
  const field = (start: number, end: number) => block.toString('latin1', start, end).replace(/\u0000[^]*$/, '')
  const number = (start: number, end: number) => {
    const digits = field(start, end).trim()
    if (!/^[0-7]{1,11}$/.test(digits)) throw new Error('the archive is damaged: a header has an invalid number')
    return Number.parseInt(digits, 8)
  }
  if (number(148, 156) !== checksum(block)) throw new Error('the archive is damaged: a header has a wrong checksum')
  const name = field(0, 100)
  const isPlain = field(156, 157) === '0' && field(157, 257) === '' && field(345, 500) === ''
  if (!isPlain || name === '') throw new Error('the archive contains an entry that is not a regular file')
  return { name, size: number(124, 136) }
}

function createReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  let left: Uint8Array = new Uint8Array(0)
  /** Returns at least one byte and at most `limit`; undefined at the end. */
  const take = async (limit: number): Promise<Uint8Array | undefined> => {
    while (left.length === 0) {
      const { done, value } = await iterator.next()
      if (done) return undefined
      left = value
    }
    const taken = left.subarray(0, limit)
    left = left.subarray(taken.length)
    return taken
  }
  async function* stream(size: number): AsyncGenerator<Uint8Array> {
    for (let missing = size; missing > 0;) {
      const chunk = await take(Math.min(missing, chunkBytes))
      if (!chunk) throw new Error('the archive is incomplete')
      missing -= chunk.length
      yield chunk
    }
  }
  return {
    stream,
    read: (size: number): Promise<Buffer> => buffer(stream(size)),
    expectZeros: async (): Promise<void> => {
      for (let chunk = await take(chunkBytes); chunk; chunk = await take(chunkBytes)) {
        if (chunk.some((byte) => byte !== 0)) throw new Error('the archive continues after its end')
      }
    },
  }
}
