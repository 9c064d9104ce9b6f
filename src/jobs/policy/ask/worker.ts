// The thread in which the files of a request are judged, which may be hostile. `ask.ts` starts and ends it.

import { parentPort } from 'node:worker_threads'
import { readContent } from '../content/read/read-content.ts'
import type { Asked } from './ask.ts'
import { toGivenTree } from './given-tree.ts'
import { judgeFiles } from './judge-files.ts'

parentPort?.on('message', (asked: Asked) => void answer(asked))

/** An error ends the thread. */
async function answer({ policy, base, files }: Asked): Promise<void> {
  const reading = (content: Parameters<typeof readContent>[0]) => Promise.resolve(readContent(content))
  const { signal } = new AbortController()
  const all = { ...policy, scope: [] }
  const verdicts = await judgeFiles({ policy: all, base: toGivenTree(base), reading, signal }, files)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(verdicts)
}
