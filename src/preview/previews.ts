// Makes previews of files: a page as safe HTML, an image as itself. A page is read in a thread, with limits of time and
// memory, and a few at a time; a page beyond them is shown as its text.

import { isPagePath } from '../docs-syntax/markdown.ts'
import { Failure } from '../lib/failure.ts'
import { createLine } from '../lib/few-at-once.ts'
import { askThread, createThreads, startThread, type UseThread } from '../lib/threads/threads.ts'
import { type PageImage, toDataAddress } from './images.ts'
import { showAsText } from './as-text.ts'

export type PreviewFile = {
  readonly path: string
  readonly content: Uint8Array
  /** Reads another file of the same commit; undefined if there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>
}

export type Previews = {
  /** Returns the content of a `body`, or undefined if such a file has no preview. Rejects only when `read` does. */
  preview(file: PreviewFile): Promise<string | undefined>
}

type Limits = { readonly timeMs: number; readonly atOnce: number }

/** A hostile page at the limits of the parser takes about a second, on a busy machine many. */
const usual: Limits = { timeMs: 30_000, atOnce: 2 }
/** Somebody who reads a change opens one page after the other. */
const idleMs = 60_000
/** Each keeps a page in memory while it waits. */
const waiting = 100
const mostImageBytes = 1_000_000
const mostBytesOfImages = 4_000_000
const memoryMb = 256

export function createPreviews({ timeMs, atOnce }: Limits = usual): Previews {
  const full = () =>
    new Failure('unavailable', 'Too many previews are being made. Try again in a few seconds.', { retryAfter: 5 })
  const inTurn = createLine({ atOnce, waiting, full })
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const { use } = createThreads({ start, idleMs, most: 1 })
  return {
    preview: async (file) => (isPagePath(file.path) ? inTurn(() => showPage(use, file, timeMs)) : showImage(file)),
  }
}

function showImage({ content }: PreviewFile): string | undefined {
  const address = content.length > mostBytesOfImages ? undefined : toDataAddress(content)
  return address && `<p><img src="${address}" alt="The image"></p>`
}

async function showPage(useThread: UseThread, { path, content, read }: PreviewFile, timeMs: number): Promise<string> {
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  const signal = AbortSignal.timeout(timeMs)
  const html = await useThread(async (thread) => {
    const asked = await askThread<{ readonly images: readonly PageImage[] }>(thread, { path, text }, signal)
    if (asked === undefined) return undefined
    const made = await askThread<{ readonly html: string }>(thread, await readImages(asked.images, read), signal)
    return made?.html
  })
  return html ?? showAsText(text)
}

async function readImages(
  images: readonly PageImage[],
  read: PreviewFile['read'],
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>()
  let left = mostBytesOfImages
  for (const { source, paths } of images) {
    const bytes = await readFirst(paths, read)
    const address = bytes && bytes.length <= Math.min(mostImageBytes, left) ? toDataAddress(bytes) : undefined
    if (bytes === undefined || address === undefined) continue
    left -= bytes.length
    addresses.set(source, address)
  }
  return addresses
}

async function readFirst(paths: readonly string[], read: PreviewFile['read']): Promise<Uint8Array | undefined> {
  for (const path of paths) {
    const bytes = await read(path)
    if (bytes) return bytes
  }
  return undefined
}
