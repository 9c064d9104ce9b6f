// Blanks out the types of a TypeScript text in a thread of its own. Text that is nested deeper than the parser's stack
// (measured: 1,000 arrows or blocks) leaves Node's parser unusable in its thread, for the text of others and for the
// modules of the service. The caller waits, up to five seconds, or is called back.

import { once } from 'node:events'
import { MessageChannel, type MessagePort, Worker, receiveMessageOnPort } from 'node:worker_threads'

const deadlineMs = 5_000

/** The parser is marked as experimental: its warning would be printed for each text. */
const code = `
const { workerData: { text, port, ended } } = require('node:worker_threads')
process.emitWarning = () => {}
try {
  port.postMessage(require('node:module').stripTypeScriptTypes(text))
} catch {}
Atomics.store(ended, 0, 1)
Atomics.notify(ended, 0)
`

/** Every position stays. Undefined when the text is not understood. Never throws. */
export function stripTypes(text: string): string | undefined {
  const { worker, port, ended } = startStripping(text)
  worker.unref()
  Atomics.wait(ended, 0, 0, deadlineMs)
  const stripped = receive(port)
  void worker.terminate()
  return stripped
}

/** Does the same without blocking the thread of the caller. Undefined after `waitMs` too. */
export async function stripTypesLater(text: string, waitMs: number): Promise<string | undefined> {
  const { worker, port } = startStripping(text)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), waitMs)
  await once(worker, 'exit', { signal: limit.signal }).catch(() => undefined)
  clearTimeout(timer)
  const stripped = receive(port)
  await worker.terminate()
  return stripped
}

function startStripping(text: string) {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const options = { workerData: { text, port: port2, ended }, transferList: [port2], execArgv: [], env: {} }
  const worker = new Worker(code, { eval: true, ...options, resourceLimits: { maxOldGenerationSizeMb: 128 } })
  // How it ends does not matter: by then there is a result, or there never will be one.
  worker.on('error', () => undefined)
  return { worker, port: port1, ended }
}

function receive(port: MessagePort): string | undefined {
  const received: { readonly message: string } | undefined = receiveMessageOnPort(port)
  port.close()
  return received?.message
}
