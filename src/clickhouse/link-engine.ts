// Links the machine code of the embedded engine in a thread, and keeps it linked until the thread is ended.

import { parentPort } from 'node:worker_threads'
import 'chdb/connection'

parentPort?.on('message', () => undefined)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage('linked')
