// Reads the headers of the responses that a git process gets: git's messages say no more than the status. Git shows headers
// only in its trace, which goes to file descriptor 4, so that standard error holds nothing but messages. The trace has no
// bodies, and git hides logins in it.

import type { ChildProcess } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

export type SeenResponse = { readonly status: number; readonly headers: IncomingHttpHeaders }

const descriptor = 4
/** The names that are kept; the others may be long. */
const kept = /^(?:content-type|date|retry-after|(?:x-)?ratelimit-(?:remaining|reset))$/

/** Curl's words at the end of a transfer. */
const overWords =
  / == Info: (?:Connection #\d+ to host .* left intact|Closing connection|closing connection|shutting down)/

/** The environment that makes git write the trace. */
export const headerTrace = { GIT_TRACE_CURL: String(descriptor), GIT_TRACE_CURL_NO_DATA: '1', GIT_TRACE_REDACT: '1' }

/**
 * Returns a function that returns the last response so far. Reads until the process and its children have closed the
 * descriptor. `onPosted` gets true when the response to a POST is over, and false when git continues.
 */
export function readResponses(
  child: ChildProcess,
  onPosted: (isOver: boolean) => void,
): () => SeenResponse | undefined {
  let last: { status: number; headers: Record<string, string> } | undefined
  let isPost = false
  const pipe = child.stdio[descriptor]
  // There is no pipe when the process could not be started.
  if (!(pipe instanceof Readable)) return () => undefined
  createInterface({ input: pipe }).on('line', (line) => {
    const method = / => Send header: (GET|POST) /.exec(line)?.[1]
    if (method !== undefined) isPost = method === 'POST'
    onPosted(isPost && overWords.test(line))
    const text = / <= Recv header: (.{1,300})$/.exec(line)?.[1]
    if (text === undefined) return
    const status = /^HTTP\/[\d.]{1,3} (\d{3})\b/.exec(text)?.[1]
    if (status !== undefined) last = { status: Number(status), headers: {} }
    const [, name = '', value = ''] = /^([\w-]{1,40}): *(.*)$/.exec(text) ?? []
    if (last && kept.test(name.toLowerCase())) last.headers[name.toLowerCase()] = value.trim()
  })
  return () => last
}
