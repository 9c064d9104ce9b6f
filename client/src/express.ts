// For Express, Connect, and plain node:http: records a page view after its response is sent. Uses only the fields of
// Express that node:http does not have.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from './page-view.ts'
import type { Recorder } from './record.ts'

type Asked = IncomingMessage & {
  readonly originalUrl?: string
  readonly ip?: string | undefined
  readonly protocol?: string
}

export type NodeOptions = {
  /**
   * Returns the client's address. Default: `request.ip` of Express (which follows its `trust proxy`), else the peer of
   * the connection. The default ignores headers, because anyone can write them.
   */
  readonly address?: (request: IncomingMessage) => string | undefined
  /** Returns the country that your CDN names, as ISO 3166-1 has it: `DE`. Default: no country. */
  readonly country?: (request: IncomingMessage) => string | null | undefined
  /** The origin of the site, `https://docs.example.com`: behind a proxy the server may not know it. Default: `Host`. */
  readonly origin?: string
}

export function recordPageViews(recorder: Recorder, options: NodeOptions = {}) {
  return (request: Asked, response: ServerResponse, next: (error?: unknown) => void): void => {
    try {
      watch(recorder, options, request, response)
    } catch {
      // The page continues without being recorded.
    }
    next()
  }
}

function watch(recorder: Recorder, options: NodeOptions, request: Asked, response: ServerResponse): void {
  const time = Date.now()
  const { method = '' } = request
  // A connection that has ended has no address any more.
  const address = options.address ? options.address(request) : (request.ip ?? request.socket.remoteAddress)
  const country = options.country?.(request) ?? undefined
  const url = join(options.origin ?? originOf(request), request.originalUrl ?? request.url ?? '')
  const header = (name: string) => textOf(request.headers[name])
  const written = watchHead(response)
  response.once('finish', () => {
    try {
      const contentType = textOf(response.getHeader('content-type')) ?? written.contentType
      recorder.record({ method, url, header, address, country, time, status: response.statusCode, contentType })
    } catch {
      // No caller could catch an error here: it would end the process.
    }
  })
}

/** Remembers the content type that is passed to `writeHead`: `getHeader` does not return it afterwards. */
function watchHead(response: ServerResponse): { contentType: string | undefined } {
  const written: { contentType: string | undefined } = { contentType: undefined }
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (...given: unknown[]) => {
    written.contentType = findType(given.at(-1)) ?? written.contentType
    return writeHead(...given)
  }
  return written
}

/** Reads headers in all three forms: an object, pairs, or names and values in turn. */
function findType(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const pairs = Array.isArray(headers) ? toPairs(headers) : Object.entries(headers)
  const found = pairs.find(([name]) => String(name).toLowerCase() === 'content-type')
  return textOf(found?.[1])
}

function toPairs(headers: readonly unknown[]): (readonly unknown[])[] {
  if (Array.isArray(headers[0])) return headers.filter((pair) => Array.isArray(pair))
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
}

function originOf(request: Asked): string | undefined {
  const host = request.headers.host ?? textOf(request.headers[':authority'])
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  return `${request.protocol ?? (isEncrypted ? 'https' : 'http')}://${host}`
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : undefined
}
