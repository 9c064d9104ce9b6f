// Makes previews of files: a page as safe HTML, an image as itself. A page is read in a thread of its own, with limits of
// time and memory, and a few at a time; a page beyond them is shown as its text.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { isPagePath } from '../docs-syntax/markdown.ts'
import { type PageImage, toDataAddress } from './images.ts'
import { showAsText } from './page.ts'

export type PreviewFile = {
  readonly path: string
  readonly content: Uint8Array
  /** Reads another file of the same commit; undefined if there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>
}

export type Previews = {
  /** Returns the content of a `body`; undefined: such a file has no preview. Rejects only when `read` does. */
  preview(file: PreviewFile): Promise<string | undefined>
}

type Limits = { readonly timeMs: number; readonly atOnce: number }

/** A hostile page at the limits of the parser takes about a second, on a busy machine many. */
const usual: Limits = { timeMs: 30_000, atOnce: 2 }
const mostImageBytes = 1_000_000
const mostBytesOfImages = 4_000_000
const memoryMb = 256

export function createPreviews(limits: Limits = usual): Previews {
  const waiting: (() => void)[] = []
  const state = { running: 0 }
  const enter = () =>
    state.running++ < limits.atOnce ? undefined : new Promise<void>((resolve) => void waiting.push(resolve))
  const leave = () => {
    state.running -= 1
    waiting.shift()?.()
  }
  return {
    preview: async (file) => {
      if (!isPagePath(file.path)) return showImage(file)
      await enter()
      try {
        return await renderInThread(file, limits.timeMs)
      } finally {
        leave()
      }
    },
  }
}

function showImage({ content }: PreviewFile): string | undefined {
  const address = content.length > mostBytesOfImages ? undefined : toDataAddress(content)
  return address && `<p><img src="${address}" alt="The image"></p>`
}

async function renderInThread({ path, content, read }: PreviewFile, timeMs: number): Promise<string> {
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  const options = { workerData: { path, text }, execArgv: [], env: {} }
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    ...options,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  // An error ends the thread, and its end is what counts.
  worker.on('error', () => undefined)
  const signal = AbortSignal.timeout(timeMs)
  try {
    const images = await message<{ readonly images: readonly PageImage[] }>(worker, signal)
    if (images === undefined) return showAsText(text)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(await readImages(images.images, read))
    return (await message<{ readonly html: string }>(worker, signal))?.html ?? showAsText(text)
  } finally {
    await worker.terminate()
  }
}

/** Returns undefined when the thread ends, or the time does, before there is a message. */
async function message<Sent>(worker: Worker, signal: AbortSignal): Promise<Sent | undefined> {
  const ended = new AbortController()
  const end = () => ended.abort()
  worker.once('exit', end)
  try {
    const [sent] = (await once(worker, 'message', { signal: AbortSignal.any([signal, ended.signal]) })) as [Sent]
    return sent
  } catch {
    // Also an error in the thread: it has run out of memory.
    return undefined
  } finally {
    worker.off('exit', end)
  }
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
