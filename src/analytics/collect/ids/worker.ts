// The thread that fills a filter with the ids of all stored page views: ten million take three seconds, which requests would
// have to share. `stored-ids.ts` starts and ends it.

import { parentPort } from 'node:worker_threads'
import { addId, type IdFilter } from './id-filter.ts'

/** `ids`: 16 hexadecimal digits each. The bits of the filter are shared with the process. */
export type FillTask = { readonly filter: IdFilter; readonly ids: string }

parentPort?.on('message', ({ filter, ids }: FillTask) => {
  const bytes = Buffer.from(ids, 'hex')
  for (let at = 0; at < bytes.length; at += 8) addId(filter, bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(bytes.length / 8)
})
