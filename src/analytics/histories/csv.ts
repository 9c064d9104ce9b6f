// Reads CSV (RFC 4180) as records, from bytes that come in pieces. Values may have quotes, commas and line breaks in them. Holds
// one record, of bounded length.

import { Failure } from '../../lib/failure.ts'

const mostCharacters = 65_536
const mostValues = 200

/** Yields the records of each piece together. An empty line is a record with one empty value. Throws `invalid_input`. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (readonly string[])[], void> {
  const decoder = new TextDecoder()
  const state: State = { values: [], value: '', size: 0, quote: 'outside', hasReturn: false }
  for await (const piece of bytes) {
    const records = take(state, decoder.decode(piece, { stream: true }))
    if (records.length > 0) yield records
  }
  const rest = take(state, decoder.decode())
  if (state.values.length > 0 || state.value !== '' || state.quote !== 'outside') rest.push(endRecord(state))
  if (rest.length > 0) yield rest
}

type State = {
  values: string[]
  value: string
  /** Characters of the record so far. */
  size: number
  /** `closed`: after a quote that ends the value, or is the first of two. */
  quote: 'outside' | 'inside' | 'closed'
  /** The last character was a carriage return that ended a record. */
  hasReturn: boolean
}

function take(state: State, text: string): string[][] {
  const records: string[][] = []
  for (let at = 0; at < text.length; at += 1) {
    const record = step(state, text.charAt(at))
    if (record !== undefined) records.push(record)
  }
  return records
}

function step(state: State, character: string): string[] | undefined {
  const afterReturn = state.hasReturn
  state.hasReturn = false
  if (character === '\n' && afterReturn) return undefined
  if (state.quote === 'inside') {
    if (character === '"') state.quote = 'closed'
    else append(state, character)
    return undefined
  }
  switch (character) {
    case '"': {
      // Two quotes in a quoted value are one of its characters.
      if (state.quote === 'closed') append(state, character)
      state.quote = 'inside'
      return undefined
    }
    case ',': {
      endValue(state)
      return undefined
    }
    case '\r':
    case '\n': {
      state.hasReturn = character === '\r'
      return endRecord(state)
    }
    default: {
      append(state, character)
      return undefined
    }
  }
}

function append(state: State, character: string): void {
  state.value += character
  state.size += 1
  if (state.size > mostCharacters) throw new Failure('invalid_input', 'A line is longer than 64 KiB: this is no CSV.')
}

function endValue(state: State): void {
  state.values.push(state.value)
  state.value = ''
  state.quote = 'outside'
  if (state.values.length > mostValues) throw new Failure('invalid_input', `A line has more than ${mostValues} values.`)
}

function endRecord(state: State): string[] {
  endValue(state)
  const { values } = state
  state.values = []
  state.size = 0
  return values
}
