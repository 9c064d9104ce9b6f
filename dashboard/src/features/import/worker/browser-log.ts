// A log that a person chose, as the import reads it. It stays in the browser: only this thread reads its bytes.

import type { LogFile, Progress } from '../../../../../src/analytics/import/log-file.ts'
import { Failure } from '../../../../../src/lib/failure.ts'
import { gunzip, readAll } from './gunzip.ts'
import { unzstd } from './unzstd.ts'

type Bytes = Uint8Array<ArrayBuffer>

export async function openBrowserLog(file: File): Promise<LogFile> {
  const { name, size } = file
  const progress: Progress = { bytesRead: 0, damage: undefined }
  const head = await readHead(file)
  const unread = refusals.find(({ start }) => startsWith(head, start))
  if (unread !== undefined) throw refused(name, unread.words)
  const unpack = unpackers.find(({ start }) => startsWith(head, start))?.unpack
  const read = (from: number) => {
    progress.damage = undefined
    progress.bytesRead = unpack ? 0 : from
    return named(name, unpack ? skip(unpack(file, progress), from) : plain(file.slice(from), progress))
  }
  return { name, size, kind: unpack ? 'gzip' : 'plain', read, progress }
}

const unpackers = [
  { start: [0x1f, 0x8b], unpack: gunzip },
  { start: [0x28, 0xb5, 0x2f, 0xfd], unpack: unzstd },
  // A frame without data, which parallel compressors write first.
  { start: [0x50, 0x2a, 0x4d, 0x18], unpack: unzstd },
] as const

const refusals = [
  { start: [0x50, 0x4b, 3, 4], words: 'is a zip archive: take the logs out of it first' },
  { start: [0x37, 0x7a, 0xbc, 0xaf], words: 'is a 7z archive: take the logs out of it first' },
  { start: [0x52, 0x61, 0x72, 0x21], words: 'is a rar archive: take the logs out of it first' },
  { start: [0xfd, 0x37, 0x7a, 0x58], words: 'is compressed with xz: decompress it first' },
  { start: [0x42, 0x5a, 0x68], words: 'is compressed with bzip2: decompress it first' },
] as const

async function readHead(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, 4).arrayBuffer())
  } catch {
    throw unreadable(file.name)
  }
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte)
}

async function* plain(data: Blob, progress: Progress): AsyncGenerator<Bytes> {
  for await (const chunk of readAll(data.stream())) {
    progress.bytesRead += chunk.length
    yield chunk
  }
}

async function* skip(source: AsyncIterable<Bytes>, from: number): AsyncGenerator<Bytes> {
  let offset = 0
  for await (const chunk of source) {
    const at = Math.max(0, from - offset)
    offset += chunk.length
    if (at < chunk.length) yield chunk.subarray(at)
  }
}

/** A browser refuses to read a file that changed since it was chosen. */
async function* named(name: string, source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  try {
    yield* source
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(name)
  }
}

function unreadable(name: string): Failure {
  return refused(name, 'cannot be read. If the server still writes to it, choose it again')
}

function refused(name: string, why: string): Failure {
  return new Failure('invalid_input', `${name} ${why}.`)
}
