// The thread in which one preview is made: its page is hostile, may take long, and may need much memory. Asks for the
// images that it needs, then sends the HTML. `previews.ts` starts and ends it.

import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { preparePage } from './page.ts'

const { path, text } = workerData as { readonly path: string; readonly text: string }

const page = preparePage(path, text)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage({ images: page.images })
if (parentPort) {
  const [addresses] = (await once(parentPort, 'message')) as [ReadonlyMap<string, string>]
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage({ html: page.finish(addresses) })
}
