// Decompresses gzip with the browser's own stream, which refuses a second member: logs that were joined or are written in
// blocks have many. Cuts the data where a member may begin; a cut at the wrong place fails its checksum, and the member is
// read again up to the next place.

import type { Progress } from '../../../../../src/analytics/import/log-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Header and trailer of an empty member. */
const smallestMember = 20

/** Never throws for corrupt data: yields what comes before the damage, and sets `progress.damage`. */
export async function* gunzip(data: Blob, progress: Progress): AsyncGenerator<Bytes> {
  for (let start = 0; start < data.size;) {
    const end = yield* readMember(data, start, progress)
    if (end === undefined) return
    start = end
  }
}

/** Returns where the member ends, or undefined if it is damaged. */
async function* readMember(data: Blob, start: number, progress: Progress): AsyncGenerator<Bytes, number | undefined> {
  let known: number | undefined
  for (let end = start; end < data.size;) {
    end = await findMember(data, end + smallestMember)
    const read = { bytes: 0 }
    try {
      for await (const chunk of inflate(data.slice(start, end), start, progress)) {
        read.bytes += chunk.length
        const fresh = Math.min(chunk.length, read.bytes - (known ?? 0))
        if (fresh > 0) yield chunk.subarray(chunk.length - fresh)
      }
      return end
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // More data did not help.
      const isStuck = known !== undefined && read.bytes <= known
      known = Math.max(known ?? 0, read.bytes)
      if (end < data.size && !isStuck) continue
      progress.damage = 'corrupt'
      return undefined
    }
  }
  return data.size
}

/** Throws a TypeError for data that are no whole member. */
async function* inflate(member: Blob, start: number, progress: Progress): AsyncGenerator<Bytes> {
  progress.bytesRead = start
  const count = new TransformStream<Bytes, Bytes>({
    transform: (chunk, controller) => {
      progress.bytesRead += chunk.length
      controller.enqueue(chunk)
    },
  })
  yield* readAll(member.stream().pipeThrough(count).pipeThrough(new DecompressionStream('gzip')))
}

/** Not every browser iterates over a stream. */
export async function* readAll(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The first place from here on that looks like the header of a member, or the end. */
async function findMember(data: Blob, from: number): Promise<number> {
  let at = from
  let tail: Bytes = new Uint8Array()
  for await (const chunk of readAll(data.slice(from).stream())) {
    const bytes = new Uint8Array(tail.length + chunk.length)
    bytes.set(tail)
    bytes.set(chunk, tail.length)
    for (let found = bytes.indexOf(0x1f); found >= 0; found = bytes.indexOf(0x1f, found + 1))
      if (isHeader(bytes, found)) return at + found
    const kept = Math.min(bytes.length, headerBytes - 1)
    at += bytes.length - kept
    tail = bytes.slice(bytes.length - kept)
  }
  return data.size
}

const headerBytes = 10

/** RFC 1952, 2.3.1: the magic number, deflate, known flags, an effort that compressors write, a known system. */
function isHeader(bytes: Uint8Array, at: number): boolean {
  const [first, second, method, flags = 255, , , , , effort = 255, system = 254] = bytes.subarray(at, at + headerBytes)
  const isMagic = first === 0x1f && second === 0x8b && method === 8
  return isMagic && flags < 32 && [0, 2, 4].includes(effort) && (system <= 13 || system === 255)
}
