// The thread in which changed files are read: a file is hostile, may take long, and may need much memory. `threads.ts`
// starts and ends it.

import { parentPort } from 'node:worker_threads'
import { readContent, readText } from './read-content.ts'
import type { Question } from './threads.ts'

parentPort?.on('message', ({ content, isText }: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(isText ? readText(content) : readContent(content))
})
