// The thread in which facts are read: a page is hostile, may take long, and may need much memory. `threads.ts` starts and
// ends it.

import { parentPort } from 'node:worker_threads'
import type { FactsTask } from './threads.ts'
import { readData } from './read-data.ts'
import { readPage } from './read-page.ts'

parentPort?.on('message', (task: FactsTask) => {
  const facts = task.kind === 'page' ? readPage(task.syntax, task.text) : readData(task.path, task.text)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(facts)
})
