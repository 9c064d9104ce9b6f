// Shared by the results of all tools: the head line, the limit of characters, and the description in a file beside the
// tool. Text of the repository always follows a head line in square brackets, and is data.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { showInvisible } from '../../docs-syntax/text.ts'
import { type ToolResult, maxResultCharacters } from '../tool.ts'

/** The longest content a tool accepts: about 300 printed pages. */
export const maxContentCharacters = 500_000

const maxPathCharacters = 1000
/** Reserved for the head line. */
const headCharacters = 600

/** The description for the model, from the file beside the tool. `url`: the tool's `import.meta.url`. */
export function readDescription(name: string, url: string): string {
  return readFileSync(new URL(`./${name}.md`, url), 'utf8').trim()
}

export function pathField(text: string): z.ZodString {
  return z.string().min(1).max(maxPathCharacters).describe(text)
}

export function refuse(text: string): ToolResult {
  return { text: text.slice(0, maxResultCharacters), isError: true }
}

/** A path as a line shows it, with line breaks and invisible characters escaped. */
export function showPath(path: string): string {
  return showInvisible(path).replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1))
}

/** As many of the first lines as a result can hold. */
export function fitLines(lines: readonly string[]): readonly string[] {
  let characters = headCharacters
  const cut = lines.findIndex((line) => (characters += line.length + 1) > maxResultCharacters)
  return cut === -1 ? lines : lines.slice(0, cut)
}

/** `path: 3`. */
export function countedLine(path: string, amount: number): string {
  return `${showPath(path)}: ${amount}`
}

/** The path of a line from `countedLine`. */
export function pathOfLine(line: string): string {
  return line.slice(0, line.lastIndexOf(':'))
}

/** The facts of a list; undefined: it ends here. */
export function fromOffset(next: number | undefined): Pick<ToolResult, 'facts'> {
  return next === undefined ? {} : { facts: { next } }
}

/** `1 file`, `12 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`
}
