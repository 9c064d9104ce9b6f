// The thread in which previews are made, one after the other: a page is hostile, may take long, and may need much memory.
// Asks for the images that a page needs, then sends its HTML. `previews.ts` starts and ends it.

import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { preparePage } from './page.ts'

type Page = { readonly path: string; readonly text: string }

async function makePreviews(port: MessagePort): Promise<never> {
  for (;;) {
    const [{ path, text }] = (await once(port, 'message')) as [Page]
    const page = preparePage(path, text)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage({ images: page.images })
    const [addresses] = (await once(port, 'message')) as [ReadonlyMap<string, string>]
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage({ html: page.finish(addresses) })
  }
}

if (parentPort) await makePreviews(parentPort)
