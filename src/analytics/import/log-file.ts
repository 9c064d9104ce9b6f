// A log as a stream of bytes: a file or standard input, plain, gzip or zstd (detected by its first bytes), with one or more
// members or frames. A truncated stream yields what it contains, then reports the damage. Knows nothing about lines.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { constants, createGunzip, type Gunzip } from 'node:zlib'
import { Failure } from '../../lib/failure.ts'
import { type Damage, headBytes, type Packing, packingOf } from './packing/packing.ts'
import { unzstd } from './packing/unzstd.ts'

export type LogFile = {
  /** `access.log`; `standard input` */
  readonly name: string
  /** Size on disk. Undefined: unknown. */
  readonly size: number | undefined
  /** True if it can be read again and from any offset. A compressed file can only be read from its beginning. */
  readonly kind: 'plain' | Packing | 'stream'
  /**
   * Yields the decompressed bytes from this offset on; nothing if the log is shorter. Standard input can be read once.
   * Throws a Failure if the log cannot be read.
   */
  read(from: number): AsyncGenerator<Uint8Array>
  readonly progress: Progress
}

export type Progress = {
  /** Bytes read so far, of the size on disk. */
  bytesRead: number
  /** Set when compressed data are truncated or corrupt. */
  damage: Damage | undefined
}

const chunkBytes = 262_144
/** Small, because one byte of gzip can decompress to a thousand. */
const packedBytes = 16_384

export async function openLogFile(path: string): Promise<LogFile> {
  const { size, head, isFile } = await look(path)
  const progress: Progress = { bytesRead: 0, damage: undefined }
  // A named pipe can only be read once.
  if (!isFile) return { ...fromStream(createReadStream(path)), name: nameOf(path) }
  const packing = packingOf(path, head)
  const read = (from: number) => {
    progress.damage = undefined
    const start = packing ? 0 : from
    progress.bytesRead = start
    const options = { start, highWaterMark: packing ? packedBytes : chunkBytes }
    const bytes = counted(createReadStream(path, options), progress)
    return packing ? skip(unpackers[packing](bytes, progress), from) : bytes
  }
  return { name: nameOf(path), size, kind: packing ?? 'plain', read, progress }
}

/** For standard input, and for tests. */
export function fromStream(source: AsyncIterable<Uint8Array>): LogFile {
  const progress: Progress = { bytesRead: 0, damage: undefined }
  const read = async function* (from: number) {
    const bytes = counted(source, progress)
    let head: Uint8Array = new Uint8Array()
    while (head.length < headBytes) {
      const next = await bytes.next()
      if (next.done) break
      head = Buffer.concat([head, next.value])
    }
    const all = rejoin(head, bytes)
    const packing = packingOf('Standard input', head)
    yield* skip(packing ? unpackers[packing](all, progress) : all, from)
  }
  return { name: 'standard input', size: undefined, kind: 'stream', read, progress }
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

async function look(path: string) {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    if (stats.isDirectory())
      throw new Error(`it is a folder. Name its logs, such as '${path.replace(/\/$/, '')}/*.log*'`)
    if (!stats.isFile()) return { size: undefined, head: new Uint8Array(), isFile: false }
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0)
    return { size: stats.size, head: buffer.subarray(0, bytesRead), isFile: true }
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): Failure {
  return new Failure('invalid_input', `${path} cannot be read: ${error instanceof Error ? error.message : 'unknown'}`)
}

async function* counted(source: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) {
      progress.bytesRead += chunk.length
      yield chunk
    }
  } catch (error) {
    throw unreadable('The log', error)
  }
}

async function* rejoin(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

async function* skip(source: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<Uint8Array> {
  let offset = 0
  for await (const chunk of source) {
    const at = Math.max(0, from - offset)
    offset += chunk.length
    if (at < chunk.length) yield at === 0 ? chunk : chunk.subarray(at)
  }
}

/** Never throws for corrupt data: yields everything before the corrupt chunk, and sets `progress.damage`. */
async function* gunzip(source: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  const ready: Uint8Array[] = []
  gunzip.on('data', (chunk: Uint8Array) => ready.push(chunk))
  try {
    for await (const chunk of source) {
      const error = await ask(gunzip, (done) => gunzip.write(chunk, done))
      yield* ready.splice(0)
      if (error) {
        progress.damage = damageOf(error)
        return
      }
    }
    const error = await ask(gunzip, (done) => gunzip.once('end', () => done(null)).end())
    yield* ready.splice(0)
    if (error) progress.damage = damageOf(error)
  } finally {
    gunzip.destroy()
  }
}

const unpackers = { gzip: gunzip, zstd: unzstd } as const

/** Resolves when the stream is done, with its error if it has one. */
function ask(
  gunzip: Gunzip,
  work: (done: (error?: Error | null) => void) => void,
): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    gunzip.once('error', resolve)
    work((error) => {
      // The error arrives as an event.
      if (error) return
      gunzip.off('error', resolve)
      resolve(undefined)
    })
  })
}

function damageOf(error: NodeJS.ErrnoException): Damage {
  return error.code === 'Z_BUF_ERROR' || error.errno === constants.Z_BUF_ERROR ? 'truncated' : 'corrupt'
}
