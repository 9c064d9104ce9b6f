// A log that a person chose, as the import reads it. It stays in the browser: only this thread reads its bytes.

import type { LogFile, Progress } from '../../../../../src/analytics/import/log-file.ts'
import { headBytes, packingOf } from '../../../../../src/analytics/import/packing/packing.ts'
import { unzstd } from '../../../../../src/analytics/import/packing/unzstd.ts'
import { Failure } from '../../../../../src/lib/failure.ts'
import { gunzip, readAll } from './gunzip.ts'

type Bytes = Uint8Array<ArrayBuffer>

export async function openBrowserLog(file: File): Promise<LogFile> {
  const { name, size } = file
  const progress: Progress = { bytesRead: 0, damage: undefined }
  const packing = packingOf(name, await readHead(file))
  const unpack = packing === undefined ? undefined : unpackers[packing]
  const read = (from: number) => {
    progress.damage = undefined
    progress.bytesRead = unpack ? 0 : from
    return named(name, unpack ? skip(unpack(file, progress), from) : plain(file.slice(from), progress))
  }
  return { name, size, kind: packing ?? 'plain', read, progress }
}

const unpackers = {
  gzip: gunzip,
  zstd: (data: Blob, progress: Progress) => unzstd(plain(data, progress), progress),
} as const

async function readHead(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    throw unreadable(file.name)
  }
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
