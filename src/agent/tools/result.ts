// Shared by all tools: the head line of a result, the limit on characters, and the description in the file next to the
// tool. Text from the repository always follows a head line in square brackets, which marks it as data.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { showInvisible } from '../../docs-syntax/text.ts'
import { type ToolResult, maxResultCharacters } from '../tool.ts'
import { startOf } from '../../lib/plain-text.ts'

/** The longest content a tool accepts: about 300 printed pages. */
export const maxContentCharacters = 500_000

/** A longer file, such as a changelog of a megabyte, may still grow by this much in one call. */
const maxGrowth = 100_000

const maxPathCharacters = 1000
/** Reserved for the head line. */
const headCharacters = 600

/** Reads the description for the model from the file next to the tool. `url` is the tool's `import.meta.url`. */
export function readDescription(name: string, url: string): string {
  return readFileSync(new URL(`./${name}.md`, url), 'utf8').trim()
}

export function pathField(): z.ZodString {
  return z.string().min(1).max(maxPathCharacters)
}

export function refuse(text: string): ToolResult {
  return { text: startOf(text, maxResultCharacters), isError: true }
}

/** Explains why an edit makes a file too long; undefined if it does not. The words continue the path. */
export function findTooLong(before: string, after: string): string | undefined {
  if (after.length <= Math.max(maxContentCharacters, before.length + maxGrowth)) return undefined
  return before.length + maxGrowth > maxContentCharacters
    ? `would grow by more than ${maxGrowth} characters; make several smaller edits`
    : `would have more than ${maxContentCharacters} characters`
}

/** Formats a path for a line of a result: escapes line breaks and invisible characters. */
export function showPath(path: string): string {
  return showInvisible(path).replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1))
}

/** Returns the first lines, as many as fit into a result. */
export function fitLines(lines: readonly string[]): readonly string[] {
  let characters = headCharacters
  const cut = lines.findIndex((line) => (characters += line.length + 1) > maxResultCharacters)
  return cut === -1 ? lines : lines.slice(0, cut)
}

/** Formats a line such as `path: 3`. */
export function countedLine(path: string, amount: number): string {
  return `${showPath(path)}: ${amount}`
}

/** Returns the path in a line that `countedLine` made. */
export function pathOfLine(line: string): string {
  return line.slice(0, line.lastIndexOf(':'))
}

/** Returns the facts of a list. `next` is undefined at its end. */
export function fromOffset(next: number | undefined): Pick<ToolResult, 'facts'> {
  return next === undefined ? {} : { facts: { next } }
}

/** `1 file`, `12 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`
}
