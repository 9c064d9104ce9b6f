// Builds streamed responses of four providers, in their wire formats, from reasoning, text, calls, and an ending. Based on
// the providers' own documentation of their streams.

export type Said = {
  readonly text?: string
  readonly calls?: readonly WireCall[]
  /** The signature of the model's reasoning. Without it, there is no reasoning. */
  readonly signature?: string
  /** The provider's own name for the end of the response. By default, the one that fits the content. */
  readonly end?: string
  /** The stream stops before its end. */
  readonly unfinished?: true
  /** `compatible` only: the response reports no usage. */
  readonly unmetered?: true
}

export type WireCall = { readonly id: string; readonly name: string; readonly input: object | string }
export type WireProvider = 'anthropic' | 'openai' | 'google' | 'compatible'

const inputTokens = 1_000
const cachedTokens = 600
const outputTokens = 50

export function say(provider: WireProvider, said: Said): readonly object[] {
  return answers[provider](said)
}

/** Returns an error event for a stream that has already started. */
export function streamError(provider: WireProvider, kind: 'overloaded' | 'no credit'): object {
  const isCredit = kind === 'no credit'
  const [type, message] = isCredit ? ['billing_error', 'No credit'] : ['overloaded_error', 'Overloaded']
  if (provider === 'anthropic') return { type: 'error', error: { type, message } }
  if (provider === 'openai') {
    const code = isCredit ? 'insufficient_quota' : 'server_is_overloaded'
    return { type: 'error', sequence_number: 9, error: { type: code, code, message, param: null } }
  }
  if (provider === 'google') {
    const words = isCredit ? 'Your prepayment credits are depleted.' : message
    return {
      error: { code: isCredit ? 429 : 503, message: words, status: isCredit ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE' },
    }
  }
  return { error: { message, type, code: isCredit ? 'insufficient_quota' : 503 } }
}

/** Returns the body of an error response. */
export function errorBody(provider: WireProvider, status: number, message: string, code?: string): object {
  if (provider === 'anthropic') return { type: 'error', error: { type: code ?? 'api_error', message } }
  if (provider === 'google') return { error: { code: status, message, status: code ?? 'UNKNOWN' } }
  return { error: { message, type: code ?? 'error', param: null, code: code ?? null } }
}

const json = (input: object | string) => (typeof input === 'string' ? input : JSON.stringify(input))

const answers: Readonly<Record<WireProvider, (said: Said) => readonly object[]>> = {
  anthropic: ({ text, calls = [], signature, end, unfinished }) => {
    const blocks: (readonly [object, readonly object[]])[] = []
    if (signature !== undefined) {
      const deltas = [
        { type: 'thinking_delta', thinking: 'let me see' },
        { type: 'signature_delta', signature },
      ]
      blocks.push([{ type: 'thinking', thinking: '', signature: '' }, deltas])
      blocks.push([{ type: 'redacted_thinking', data: `redacted ${signature}` }, []])
    }
    if (text !== undefined) blocks.push([{ type: 'text', text: '' }, [{ type: 'text_delta', text }]])
    for (const { id, name, input } of calls) {
      const deltas = [{ type: 'input_json_delta', partial_json: json(input) }]
      blocks.push([{ type: 'tool_use', id, name, input: {} }, deltas])
    }
    const usage = {
      input_tokens: inputTokens - cachedTokens - 100,
      cache_read_input_tokens: cachedTokens,
      cache_creation_input_tokens: 100,
      output_tokens: 1,
    }
    const base = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
    const stop = end ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
    return [
      { type: 'message_start', message: { ...base, content: [], stop_reason: null, usage } },
      ...blocks.flatMap(([block, deltas], index) => [
        { type: 'content_block_start', index, content_block: block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        ...(unfinished ? [] : [{ type: 'content_block_stop', index }]),
      ]),
      ...(unfinished
        ? []
        : [
            {
              type: 'message_delta',
              delta: { stop_reason: stop, stop_sequence: null },
              usage: { output_tokens: outputTokens },
            },
            { type: 'message_stop' },
          ]),
    ]
  },
  openai: (said) => openaiEvents(said),
  google: ({ text, calls = [], signature, end, unfinished }) => {
    const thought = signature === undefined ? {} : { thoughtSignature: signature }
    const parts = [
      ...(signature === undefined ? [] : [{ text: 'let me see', thought: true }]),
      ...(text === undefined ? [] : [{ text }]),
      // The signature is on the first call.
      ...calls.map(({ id, name, input }, index) => ({
        functionCall: { id, name, args: typeof input === 'string' ? { broken: input } : input },
        ...(index === 0 ? thought : {}),
      })),
    ]
    const usageMetadata = {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cachedTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    }
    const content = { role: 'model', parts }
    if (unfinished) return [{ candidates: [{ content, index: 0 }] }]
    return [{ candidates: [{ content, finishReason: end ?? 'STOP', index: 0 }], usageMetadata }]
  },
  compatible: ({ text, calls = [], signature, end, unfinished, unmetered }) => {
    const chunk = (delta: object, finish: string | null = null, rest: object = {}) => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      return { id: 'chat', object: 'chat.completion.chunk', created: 0, model: 'm', choices, ...rest }
    }
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    }
    return [
      ...(signature === undefined ? [] : [chunk({ role: 'assistant', reasoning_content: `thought ${signature}` })]),
      ...(text === undefined ? [] : [chunk({ role: 'assistant', content: text })]),
      ...calls.map(({ id, name, input }, index) =>
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json(input) } }] }),
      ),
      ...(unfinished ? [] : [chunk({}, end ?? (calls.length > 0 ? 'tool_calls' : 'stop'), unmetered ? {} : { usage })]),
    ]
  },
}

function openaiEvents({ text, calls = [], signature, end, unfinished }: Said): readonly object[] {
  const items: object[] = []
  const events: object[] = []
  const add = (added: object, between: (at: object) => readonly object[], done: object) => {
    const at = { output_index: items.length }
    events.push({ type: 'response.output_item.added', ...at, item: added }, ...between(at))
    if (!unfinished) events.push({ type: 'response.output_item.done', ...at, item: done })
    items.push(done)
  }
  if (signature !== undefined) {
    const item = { type: 'reasoning', id: 'rs_1', summary: [] }
    add({ ...item, encrypted_content: null }, () => [], { ...item, encrypted_content: signature })
  }
  if (text !== undefined) {
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
    const delta = { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: text }
    add(item, (at) => [{ ...delta, ...at }], { ...item, status: 'completed', content })
  }
  for (const [index, { id, name, input }] of calls.entries()) {
    const item = { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: '', status: 'in_progress' }
    const delta = { type: 'response.function_call_arguments.delta', item_id: `fc_${index}`, delta: json(input) }
    add(item, (at) => [{ ...delta, ...at }], { ...item, arguments: json(input), status: 'completed' })
  }
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const base = { id: 'resp_1', object: 'response', created_at: 0, model: 'm', status: 'in_progress' }
  const created = { type: 'response.created', response: { ...base, output: [] } }
  if (unfinished) return [created, ...events]
  const incomplete = end === undefined ? null : { reason: end }
  const response = { ...base, status: 'completed', output: items, usage, incomplete_details: incomplete }
  const last = { type: end === undefined ? 'response.completed' : 'response.incomplete', response }
  return [created, ...events, last]
}
