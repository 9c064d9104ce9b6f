// Speaks MCP on standard input and output, and passes what is asked about tools on to `/mcp` of the service: tools, rights and
// redaction are the same as over HTTP.

import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { Failure } from '../../lib/failure.ts'
import { instructions, serverName } from '../../mcp/instructions.ts'
import { version } from '../../service/version.ts'
import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'

type Streams = Pick<CommandContext, 'readBytes' | 'output' | 'stop'>

/** Ends with standard input and the last response, or when it is stopped. */
export async function relay(api: Pick<Api, 'send'>, { readBytes, output, stop }: Streams): Promise<void> {
  const requests = keepOpen(api)
  // The transport drops responses once its input has ended, although what was asked before it may have begun a job.
  async function* untilAnswered() {
    yield* readBytes?.() ?? []
    await nextTurn()
    while (requests.open.size > 0 && !stop.aborted) {
      await Promise.allSettled(requests.open)
      await nextTurn()
    }
    await nextTurn()
  }
  const input = Readable.from(untilAnswered(), { objectMode: false })
  const lines = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      output.print(text.replace(/\n$/, ''))
      done()
    },
  })
  const ended = finished(input, { writable: false, signal: stop }).catch(() => undefined)
  const handle = serveStdio(() => createRelay(requests), { transport: new StdioServerTransport(input, lines) })
  await ended
  await handle.close()
  input.destroy()
}

/** `open`: the requests without a response. */
function keepOpen(api: Pick<Api, 'send'>): Pick<Api, 'send'> & { readonly open: ReadonlySet<Promise<unknown>> } {
  const open = new Set<Promise<unknown>>()
  const send: Api['send'] = (...request) => {
    const sent = api.send(...request)
    open.add(sent)
    void sent.catch(() => undefined).finally(() => open.delete(sent))
    return sent
  }
  return { open, send }
}

function createRelay(api: Pick<Api, 'send'>): Server {
  const server = new Server(
    { name: serverName, title: 'Docent', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', ({ params }) => forward(api, 'tools/list', params))
  server.setRequestHandler('tools/call', ({ params }) => forward(api, 'tools/call', params))
  return server
}

type Reply<Result> = {
  readonly result?: Result
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

async function forward<Result>(api: Pick<Api, 'send'>, method: string, params: object = {}): Promise<Result> {
  // The envelope of the client is about this connection.
  const { _meta, ...rest } = params as { readonly _meta?: unknown }
  const message = { jsonrpc: '2.0', id: 1, method, params: rest }
  const sent = await api
    .send('POST', '/mcp', message, { Accept: 'application/json, text/event-stream' })
    .catch((error: unknown) => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, wordsOf(error))
    })
  const { result, error } = JSON.parse(sent.body) as Reply<Result>
  if (error) throw new ProtocolError(error.code, error.message, error.data)
  if (result === undefined) throw new ProtocolError(ProtocolErrorCode.InternalError, 'The service sent no result.')
  return result
}

function wordsOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  return 'There is no response from the service.'
}
