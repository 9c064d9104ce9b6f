// Parses server-sent events (WHATWG HTML, section 9.2.6). Knows nothing of connections and of jobs.

export type ServerSentEvent = { readonly event: string; readonly data: string }

/** Far beyond the longest event of the service; a line without an end would otherwise fill the memory. */
const mostCharacters = 2_000_000

/** Returns a function that takes the next bytes and returns the events that they complete. It throws a RangeError beyond the limit. */
export function createParser(): (bytes: Uint8Array) => readonly ServerSentEvent[] {
  const decoder = new TextDecoder()
  const state = { rest: '', event: '', data: [] as string[], length: 0 }

  function take(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const complete = state.data.length > 0 ? { event: state.event, data: state.data.join('\n') } : undefined
      Object.assign(state, { event: '', data: [], length: 0 })
      return complete
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (field === 'event') state.event = value
    if (field === 'data') state.data.push(value)
    state.length += line.length
    return undefined
  }

  return (bytes) => {
    state.rest += decoder.decode(bytes, { stream: true })
    // A carriage return at the very end may be half of a line break.
    const lines = state.rest.split(/\r\n|\n|\r(?!$)/)
    state.rest = lines.pop() ?? ''
    const events = lines.map(take).filter((event) => event !== undefined)
    if (state.rest.length + state.length > mostCharacters) throw new RangeError('an event is too long')
    return events
  }
}
