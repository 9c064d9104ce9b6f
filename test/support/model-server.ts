// A scripted model behind a real socket, with the streaming chat protocol of OpenAI-compatible servers. Its response
// depends on the conversation only, so the same request always gets the same response. Records the requests.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ChatMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

type ModelBody = {
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export type Scripted = {
  /** Several texts are the pieces in which it arrives. */
  readonly text?: string | readonly string[]
  /** Tool calls. If `input` is a string, it is sent unchanged, so it can be malformed on purpose. */
  readonly calls?: readonly { readonly name: string; readonly input: object | string }[]
  readonly finishReason?: 'stop' | 'length' | 'content_filter' | 'tool_calls'
  /** An error status, sent instead of a response. */
  readonly status?: number
  /** The message of the error. */
  readonly says?: string
  /** How many of the 100 input tokens it reads from its cache. */
  readonly cached?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Cuts the connection in the middle of the stream. */
  readonly cut?: true
  /** Ends the stream after the text, which has arrived by then. */
  readonly unfinished?: true
  /** Waits for this before responding. */
  readonly wait?: Promise<unknown>
  /** Waits for this between the text and the rest. */
  readonly hold?: Promise<unknown>
}

export type Script = (messages: readonly ChatMessage[], asked: number) => Scripted | Promise<Scripted>

export interface ModelServer {
  readonly baseUrl: string
  /** The messages of every request, in order. */
  readonly requests: readonly (readonly ChatMessage[])[]
  /** The names of the tools of every request. */
  readonly tools: readonly (readonly string[])[]
  /** The bytes of every request, with instructions and tools. */
  readonly sizes: readonly number[]
  script: Script
  /** The number of requests that the client aborted before the response was complete. */
  aborted(): number
  /** The total time that the server spent on requests. */
  busyMs(): number
  close(): Promise<void>
}

export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: (readonly ChatMessage[])[] = []
  const tools: (readonly string[])[] = []
  const sizes: number[] = []
  const holder = { script, busyMs: 0, aborted: 0 }
  const server = createServer((request, response) => {
    const came = performance.now()
    response.once('close', () => {
      if (!response.writableEnded) holder.aborted += 1
    })
    response.once('finish', () => (holder.busyMs += performance.now() - came))
    void (async () => {
      const sent = await text(request)
      const body = JSON.parse(sent) as ModelBody
      sizes.push(Buffer.byteLength(sent))
      requests.push(body.messages)
      tools.push((body.tools ?? []).map((tool) => tool.function.name))
      const scripted = await holder.script(body.messages, requests.length)
      await scripted.wait
      await answer(scripted, body.messages, response)
    })().catch((error: unknown) => refuse(request, response, error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    tools,
    sizes,
    get script() {
      return holder.script
    },
    set script(next) {
      holder.script = next
    },
    aborted: () => holder.aborted,
    busyMs: () => holder.busyMs,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The number of responses of the model in this conversation. */
export function countAnswers(messages: readonly ChatMessage[]): number {
  return messages.filter((message) => message.role === 'assistant').length
}

const used = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

async function answer(scripted: Scripted, messages: readonly ChatMessage[], response: ServerResponse): Promise<void> {
  if (scripted.status !== undefined) {
    response.writeHead(scripted.status, { 'Content-Type': 'application/json', ...scripted.headers })
    response.end(
      JSON.stringify({ error: { message: scripted.says ?? `scripted ${scripted.status}`, type: 'scripted' } }),
    )
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const send = (choice: object, usage?: object) => {
    const chunk = {
      id: 'chat',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      choices: [choice],
      ...usage,
    }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  for (const content of [scripted.text ?? []].flat()) send({ index: 0, delta: { role: 'assistant', content } })
  await scripted.hold
  if (scripted.cut) {
    response.destroy()
    return
  }
  if (scripted.unfinished) {
    response.end()
    return
  }
  const calls = (scripted.calls ?? []).map((call, index) => ({
    index,
    id: `call_${countAnswers(messages)}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: typeof call.input === 'string' ? call.input : JSON.stringify(call.input) },
  }))
  for (const call of calls) send({ index: 0, delta: { role: 'assistant', tool_calls: [call] } })
  const finishReason = scripted.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  send(
    { index: 0, delta: {}, finish_reason: finishReason },
    { usage: { ...used, prompt_tokens_details: { cached_tokens: scripted.cached ?? 0 } } },
  )
  response.end('data: [DONE]\n\n')
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  request.resume()
  if (!response.headersSent) response.writeHead(400)
  response.end(String(error))
}
