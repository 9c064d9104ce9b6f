// The thread in which changed pages are parsed: a page is hostile, may take long, and may need much memory. `threads.ts`
// starts and ends it.

import { parentPort } from 'node:worker_threads'
import { type PageSyntax, type PageText, parsePageSyntax, withoutSyntax } from './page-syntax.ts'

parentPort?.on('message', (page: PageText) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(read(page))
})

function read(page: PageText): PageSyntax {
  try {
    return parsePageSyntax(page)
  } catch {
    // Nested too deep for the stack.
    return withoutSyntax(page)
  }
}
