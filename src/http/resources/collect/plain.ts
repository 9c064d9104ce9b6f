// Answers the usual report of a page view, a small POST whose body is plain text or JSON, without the framework, which costs
// more than everything else about it. Any other request, such as one with gzip, is left to the routes. Responses, log lines,
// metrics and spans are the same.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createId } from '../../../lib/id.ts'
import { invalidInput } from '../../../lib/failure.ts'
import { span } from '../../../lib/observability/trace.ts'
import { type AppDeps, prefixOf } from '../../context.ts'
import { mediaType } from '../../request/body.ts'
import { createClientAddress, createPeerTrust } from '../../request/address/client-address.ts'
import { createRecorder, defaultHeaders } from '../../response/envelope.ts'
import { createProblemResponses } from '../../response/problem.ts'
import { browserBody, type TakeBrowserView } from './browser-views.ts'
import { collectPath, openToAll } from './routes.ts'

/** Returns false, and has touched nothing, if the routes must answer the request. */
export type PlainHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export function createPlainCollect(deps: AppDeps, take: TakeBrowserView): PlainHandler {
  const clientAddress = createClientAddress(deps.trustedProxies, deps.unusedForwards)
  const isTrusted = createPeerTrust(deps.trustedProxies)
  const record = createRecorder(deps)
  const respondProblem = createProblemResponses(deps)
  const prefix = prefixOf(deps)
  const start = `${prefix}/v1/collect/`
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const begin = performance.now()
    const { method = '', url = '', headers, socket } = incoming
    const requestId = createId('req')
    const forwardedFor = textOf(headers['x-forwarded-for'])
    const peer = socket.remoteAddress
    const address = clientAddress({ peer, forwardedFor })
    const post = { siteId: url.slice(start.length), address, peer, headers, readBody: () => readAll(incoming) }
    const parent = isTrusted(peer) ? textOf(headers['traceparent']) : undefined
    const work = async (open: Parameters<Parameters<typeof span>[2]>[0]) => {
      const answer = await take(post).then(
        (status) => ({ status, headers: {}, body: '' }),
        (error: unknown) => respondProblem(error, { path: url.slice(prefix.length), requestId }),
      )
      const all = { ...defaultHeaders, ...openToAll, ...answer.headers, 'X-Request-Id': requestId }
      outgoing.writeHead(answer.status, all).end(answer.body)
      const seen = { method, route: collectPath, status: answer.status, requestId }
      record(seen, { ms: performance.now() - begin, address, open })
    }
    await span(method, { 'http.request.method': method }, work, { kind: 'server', parent })
  }
  return (incoming, outgoing) => {
    if (!isUsual(incoming, start)) return false
    void respond(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
    return true
  }
}

function isUsual({ method, url = '', headers }: IncomingMessage, start: string): boolean {
  if (method !== 'POST' || !url.startsWith(start) || !/^[\w-]+$/.test(url.slice(start.length))) return false
  const size = headers['content-length']
  if (size === undefined || Number(size) === 0 || Number(size) > browserBody.maxBytes) return false
  return browserBody.types.includes(mediaType(headers['content-type'])) && headers['content-encoding'] === undefined
}

/** No more than the announced bytes arrive. */
async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
  incoming.on('error', () => reject(invalidInput('#', 'ended early')))
  return promise
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
