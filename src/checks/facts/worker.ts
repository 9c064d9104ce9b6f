// The thread in which facts are read: a page is hostile, may take long, and may need much memory. `threads.ts` starts and
// ends it.

import { parentPort } from 'node:worker_threads'
import type { Facts, FactsTask } from './threads.ts'
import { readConfig } from '../../sites/config-strings.ts'
import { readData } from './read-data.ts'
import { readPage } from './read-page.ts'

parentPort?.on('message', (tasks: readonly FactsTask[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(tasks.map(read))
})

function read(task: FactsTask): Facts {
  if (task.kind === 'page') return readPage(task.syntax, task.text)
  return task.kind === 'data' ? readData(task.path, task.text) : readConfig(task.path, task.text)
}
