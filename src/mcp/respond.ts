// Answers one HTTP request of an MCP client, without a session: every request has a server of its own, so any process of the
// service can answer it. Clients of the revisions of 2025 get the same as those of 2026.

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Caller, createMcpServer } from './server.ts'

/** `message`: the body of the request, parsed. */
export async function respondMcp(request: Request, message: unknown, caller: Caller): Promise<Response> {
  const create = () => createMcpServer(caller)
  if (await isLegacyRequest(request, message)) return await respondLegacy(request, message, create())
  const handler = createMcpHandler(create, { legacy: 'reject' })
  return await handler.fetch(request, { parsedBody: message })
}

/** With JSON, never with a stream: a tool sends nothing before its result. */
async function respondLegacy(request: Request, message: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
