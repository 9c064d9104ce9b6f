// The thread that opens the embedded engine on a folder, and keeps it open until a message comes. Linking half a gigabyte of
// machine code takes half a second and opening 50 to 150 ms, in which a thread does nothing else. The connections of other threads
// to the same folder share what is open, so each of them takes a millisecond or two.

import { parentPort, workerData } from 'node:worker_threads'
import { requireChdb } from './chdb.ts'

const { Session } = requireChdb()
const session = new Session(workerData as string)
// Nothing else keeps the thread alive.
parentPort?.once('message', () => session.close())
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage('open')
