// Reads a secret from a terminal without showing it. The terminal is in raw mode during that time, so this file does the
// terminal's work: it ends lines, deletes characters, and stops at Ctrl-C. Does not access the process.

import { StringDecoder } from 'node:string_decoder'
import { CommandFailure } from './exit.ts'

export type Terminal = {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  resume(): unknown
  pause(): unknown
  setRawMode(isRaw: boolean): unknown
}

export type HiddenInput = {
  readonly terminal: Terminal
  /** Ends with a line: a token. Otherwise with Ctrl-D: a key has many lines. */
  readonly isLine: boolean
  readonly stop: AbortSignal
}

/** Throws a failure that ends the command as stopped at Ctrl-C and `stop`. The terminal is as before in every case. */
export async function readHidden({ terminal, isLine, stop }: HiddenInput): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const decoder = new StringDecoder('utf8')
  let typed = ''
  const take = (character: string) => {
    if (character === ctrlC) reject(stopped())
    else if (character === ctrlD || (isLine && isLineEnd(character))) resolve(typed)
    else if (character === ctrlU) typed = typed.slice(0, typed.lastIndexOf('\n') + 1)
    else if (character === backspace || character === '\b') typed = Array.from(typed).slice(0, -1).join('')
    else typed += character === '\r' ? '\n' : character
  }
  const onData = (chunk: Buffer) => {
    // The rest after the end is dropped: a pasted token often has more lines.
    for (const character of decoder.write(chunk)) take(character)
  }
  const onStop = () => reject(stopped())
  if (stop.aborted) onStop()
  stop.addEventListener('abort', onStop, { once: true })
  terminal.setRawMode(true)
  terminal.on('data', onData)
  terminal.resume()
  try {
    return (await promise).replaceAll(pasteMarks, '')
  } finally {
    terminal.off('data', onData)
    terminal.pause()
    terminal.setRawMode(false)
    stop.removeEventListener('abort', onStop)
  }
}

function stopped(): CommandFailure {
  return new CommandFailure('stopped', 'invalid_input', 'Stopped. Nothing was stored.')
}

/** Some terminals send these sequences before and after pasted text. */
const pasteMarks = /\u001b\[20[01]~/g

const ctrlC = '\u0003'
const ctrlD = '\u0004'
const ctrlU = '\u0015'
const backspace = '\u007f'

function isLineEnd(character: string): boolean {
  return character === '\r' || character === '\n'
}
