// Keeps the facts of a repository in a file, so that the first check of a new process reads no page again. It is a cache:
// it may be deleted at any time, and damaged lines and those of another version are skipped. Several processes may use it:
// they only append, and replace it when it is full.
//
// A line is `<checksum> <version> <key>\t<facts as JSON>`. Each write begins with a line break, so a write that was cut off
// costs its last line alone.

import { open, rename, rm, stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createLine } from '../../lib/few-at-once.ts'
import { randomString } from '../../lib/id.ts'
import { factsVersion } from './facts-version.ts'

export type FactsFile = {
  /** Undefined: the file does not have the facts, or `parse` refuses them. A key is without line breaks and tabulators. */
  get<Kind>(key: string, parse: (json: string) => Kind | undefined): Promise<Kind | undefined>
  has(key: string): Promise<boolean>
  /** Adds what is missing. `used` is everything that a check needs: other facts go when the file is full. */
  save(used: ReadonlyMap<string, unknown>): Promise<void>
}

/** Where the JSON of a key is in the file. */
type Place = { readonly start: number; readonly tab: number; readonly end: number }
type Content = { readonly bytes: Buffer; readonly places: ReadonlyMap<string, Place> }

/** 5,000 pages with 20 links each take 9 MB. */
const usualMaxBytes = 64_000_000
/** Facts that are larger belong to generated or hostile pages. */
const maxEntryBytes = 1_000_000
const checksumLength = 8
const writtenAtOnce = 1_000_000
const [lineBreak, tabulator] = [10, 9]

type State = {
  /** The keys in the file; undefined until it was read. */
  keys: Set<string> | undefined
  /** The length of the file after the last read or write. */
  length: number
  content: Promise<Content> | undefined
}

export function openFactsFile(path: string, maxBytes = usualMaxBytes): FactsFile {
  const state: State = { keys: undefined, length: 0, content: undefined }
  const inTurn = createLine({ atOnce: 1, waiting: Infinity, full: () => new Error('Nothing is refused.') })
  const load = async () => {
    const content = await readContent(path, maxBytes)
    state.keys = new Set(content.places.keys())
    state.length = content.bytes.length
    return content
  }
  return {
    get: async (key, parse) => {
      if (state.keys?.has(key) === false) return undefined
      const content = await (state.content ??= load())
      const place = content.places.get(key)
      const json = place && readEntry(content, place)
      const facts = json === undefined ? undefined : parse(json)
      // A damaged line is written again; one that did not fit is not.
      if (place && facts === undefined) state.keys?.delete(key)
      return facts
    },
    has: async (key) => {
      if (!state.keys) await (state.content ??= load())
      return state.keys?.has(key) === true
    },
    save: (used) =>
      inTurn(async () => {
        // Between checks, only the keys stay in memory.
        state.content = undefined
        try {
          if (state.keys) await addMissing(path, { state, keys: state.keys, used, maxBytes })
        } catch {
          // The disk is full, or the mirror was deleted. The next check tries again.
          state.keys = undefined
        }
      }),
  }
}

/** Without places if the file does not exist, or is larger than it ever may be. */
async function readContent(path: string, maxBytes: number): Promise<Content> {
  const bytes = await readAtMost(path, maxBytes).catch(() => Buffer.alloc(0))
  const places = new Map<string, Place>()
  const head = ` ${factsVersion} `
  const keyStart = checksumLength + head.length
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineBreak, start)
    const end = found === -1 ? bytes.length : found
    const line = bytes.subarray(start, end)
    if (line.toString('latin1', checksumLength, keyStart) === head) {
      const tab = line.indexOf(tabulator)
      if (tab > keyStart) places.set(line.toString('latin1', keyStart, tab), { start, tab: start + tab, end })
    }
    start = end + 1
  }
  return { bytes, places }
}

async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await open(path)
  const { size } = await file.stat()
  return size > maxBytes ? Buffer.alloc(0) : await file.readFile()
}

function readEntry({ bytes }: Content, { start, tab, end }: Place): string | undefined {
  const checksum = bytes.toString('latin1', start, start + checksumLength)
  return checksum === checksumOf(bytes.subarray(start + checksumLength, end))
    ? bytes.toString('utf8', tab + 1, end)
    : undefined
}

type Addition = {
  readonly state: State
  readonly keys: Set<string>
  readonly used: ReadonlyMap<string, unknown>
  readonly maxBytes: number
}

async function addMissing(path: string, { state, keys, used, maxBytes }: Addition): Promise<void> {
  const missing = [...used].filter(([key]) => !keys.has(key))
  if (missing.length === 0) return
  const length = await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
  // Another process has replaced the file, or the mirror was made again.
  const isOther = length < state.length
  const written = await writeLines(path, isOther ? [...used] : missing, { flag: 'a', room: maxBytes - length })
  // An entry that is too large counts as present, so that not every check tries to write it.
  if (!written.isFull) {
    state.keys = new Set([...(isOther ? [] : keys), ...used.keys()])
    state.length = length + written.bytes
    return
  }
  const replaced = await replaceFile(path, [...used], maxBytes)
  state.keys = new Set(used.keys())
  state.length = replaced.bytes
}

type Entries = readonly (readonly [string, unknown])[]
/** `isFull`: not all of them fit. */
type Written = { readonly bytes: number; readonly isFull: boolean }

async function replaceFile(path: string, entries: Entries, room: number): Promise<Written> {
  const fresh = `${path}.new-${randomString('0123456789abcdef', 12)}`
  try {
    const written = await writeLines(fresh, entries, { flag: 'w', room })
    await rename(fresh, path)
    return written
  } finally {
    await rm(fresh, { force: true })
  }
}

/** Adds as many as fit, some at a time: the lines of a large site take as much memory as its facts. */
async function writeLines(path: string, entries: Entries, { flag, room }: { flag: 'a' | 'w'; room: number }) {
  await using file = await open(path, flag, 0o600)
  let bytes = 0
  let isFull = false
  let lines = ['']
  let waiting = 1
  const write = async () => {
    await file.appendFile(`${lines.join('\n')}\n`)
    bytes += waiting
    lines = ['']
    waiting = 1
  }
  for (const [key, facts] of entries) {
    const rest = ` ${factsVersion} ${key}\t${JSON.stringify(facts)}`
    const length = checksumLength + Buffer.byteLength(rest) + 1
    if (length > maxEntryBytes) continue
    if (bytes + waiting + length > room) isFull = true
    else {
      lines.push(checksumOf(rest) + rest)
      waiting += length
    }
    if (waiting > writtenAtOnce) await write()
  }
  await write()
  return { bytes, isFull }
}

function checksumOf(data: string | Uint8Array): string {
  return crc32(data).toString(16).padStart(checksumLength, '0')
}
