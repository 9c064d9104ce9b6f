// The MCP server for one caller: lists the tools that its key can use, and runs them with requests to the API. The protocol
// itself is that of the SDK.

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { Failure } from '../lib/failure.ts'
import { mapStrings } from '../lib/outbound/map-strings.ts'
import { shorten } from '../lib/plain-text.ts'
import { instructions, serverName } from './instructions.ts'
import { type Result, toErrorResult, toResult } from './result.ts'
import type { Ask, Tool } from './tool.ts'
import { tools } from './tools/tools.ts'

export type Caller = {
  readonly ask: Ask
  readonly mayWrite: boolean
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string
  readonly version: string
}

export function createMcpServer(caller: Caller): Server {
  const server = new Server(
    { name: serverName, title: 'Docent', version: caller.version },
    { capabilities: { tools: {} }, instructions },
  )
  const offered = tools.filter(({ scope }) => scope === 'read' || caller.mayWrite)
  server.setRequestHandler('tools/list', () => ({ tools: offered.map(describe) }))
  server.setRequestHandler('tools/call', async ({ params }) => await run(caller, params.name, params.arguments ?? {}))
  return server
}

function describe({ name, title, description, scope, inputSchema }: Tool) {
  const annotations = {
    readOnlyHint: scope === 'read',
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  return { name, title, description, inputSchema, annotations }
}

/** A tool that the key may not use is refused by its operation. */
async function run({ ask, redact }: Caller, name: string, given: unknown): Promise<Result> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shorten(name, 60)}.`)
  try {
    const { call, show } = tool.prepare(given)
    const { status, retryAfter, body } = await ask(call)
    const safe = mapStrings(body, redact)
    return status < 400 ? toResult(show(safe), tool.rest) : toErrorResult({ ...toError(safe), retryAfter })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, details } = error
    return toErrorResult({ code, message: redact(message), details: mapStrings(details, redact) })
  }
}

/** The parts of a problem document that a caller can act on. */
function toError(problem: unknown): Readonly<Record<string, unknown>> {
  const { code, detail, details, requestId } = problem as Readonly<Record<string, unknown>>
  return { code, message: detail, details, requestId }
}
