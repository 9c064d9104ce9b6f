// The Model Context Protocol over HTTP, as the OpenAPI document describes it. The protocol defines the messages.

import { z } from '@hono/zod-openapi'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'

const messageSchema = z
  .looseObject({ jsonrpc: z.literal('2.0') })
  .openapi('McpMessage', { example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })

export const mcpRoute = operationsOn('MCP').post('key', '/mcp', {
  operationId: 'callMcp',
  summary: 'Send a message of the Model Context Protocol',
  description:
    'Takes one JSON-RPC message of a client and returns the response, as the streamable HTTP transport of the protocol defines it, without sessions and streams. Each tool is a request to an operation of this API with the same key. A request with an `Origin` other than that of this service is refused. An error of the protocol has a JSON-RPC body.',
  request: { body: body(messageSchema) },
  responses: { 200: json('The response.', messageSchema), 202: empty('A notification was received.') },
})
