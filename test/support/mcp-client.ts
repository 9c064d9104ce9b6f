// Clients of the MCP server, from the official SDK, over HTTP and through `docent mcp`.

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Environment } from '../../src/config/environment.ts'
import { mostCharacters, notice } from '../../src/mcp/result.ts'

/** `legacy`: a revision of 2025; `auto`: the newest one. */
export type Mode = Extract<VersionNegotiationMode, string>

const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))

export async function openHttpClient(address: string, key: string, mode: Mode): Promise<Client> {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  return await connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit }), mode)
}

export async function openStdioClient(environment: Environment, cwd: string, mode: Mode): Promise<Client> {
  const given = Object.entries({ PATH: process.env['PATH'], ...environment })
  const env = Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined))
  const command = process.execPath
  return await connect(new StdioClientTransport({ command, args: [launcher, 'mcp'], env, cwd }), mode)
}

async function connect(transport: Parameters<Client['connect']>[0], mode: Mode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

export type ToolAnswer = {
  readonly data?: unknown
  readonly leftOut?: string
  readonly error?: { readonly code: string; readonly message: string }
}

/** Calls a tool. Text and structured content of the result must be the same, say that they are data, and be short. */
export async function callTool(client: Client, name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
  const [first] = content
  assert.ok(first?.type === 'text' && content.length === 1)
  assert.deepEqual(JSON.parse(first.text), structuredContent)
  const answer = structuredContent as ToolAnswer & { readonly notice: string }
  assert.equal(answer.notice, notice)
  assert.equal(isError === true, answer.error !== undefined)
  assert.ok(first.text.length < mostCharacters * 1.1, `${name}: ${first.text.length}`)
  return answer
}

export async function toolNames(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}
