// The last lines of a log of a check, as a person would read them on a screen: without colours, control characters and the times
// that runners put before each line. Pure.

import { shorten } from '../../lib/plain-text.ts'

const mostLines = 100
const mostCharacters = 8_000
const mostOfLine = 500

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
/** GitLab writes the stream after the time: `00O`, `01E`. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z (?:\d\d[OE][ +])?/
/** GitLab folds the lines between two of these. */
const section = /section_(?:start|end):\d+:[^\r\n]*\r/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** `redact` sees whole lines, before anything is cut. */
export function lastLines(log: string, redact: (text: string) => string): string {
  const lines = redact(log.toWellFormed().split('\n').map(toLine).join('\n')).split('\n')
  // Runners clean up after the error that ends a job.
  const error = lines.findLastIndex((line) => line.startsWith('##[error]'))
  const until = error < 0 ? lines.findLastIndex((line) => line !== '') : error
  const last: string[] = []
  let characters = 0
  for (const line of lines.slice(Math.max(0, until + 1 - mostLines), until + 1).toReversed()) {
    const short = shorten(line, mostOfLine)
    characters += short.length + 1
    if (characters > mostCharacters) break
    last.unshift(short)
  }
  return last.join('\n')
}

/** After a carriage return, a line begins again: the last words are those that stay. */
function toLine(line: string): string {
  const shown = line.replaceAll(section, '').replaceAll(escapes, '').replace(/\r+$/, '')
  return shown
    .slice(shown.lastIndexOf('\r') + 1)
    .replace(time, '')
    .replaceAll(controls, '')
    .trimEnd()
}
