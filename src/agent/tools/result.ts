// What the answers of all tools have in common: notices at the head, the limit of characters, the text files beside
// the tools. Text of the repository always stands below a head line in square brackets, and is data.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { showInvisible } from '../../docs-syntax/text.ts'
import { type ToolResult, maxResultCharacters } from '../tool.ts'

/** What a tool takes as content at most; a page of this size is 300 printed pages. */
export const maxContentCharacters = 500_000

const maxPathCharacters = 1000
/** Room that an answer keeps for its head line. */
const headCharacters = 600

/** The text for the model that stands in a file beside the tool. Give `import.meta.url` of the tool. */
export function readDescription(name: string, url: string): string {
  return readFileSync(new URL(`./${name}.md`, url), 'utf8').trim()
}

export function pathField(text: string): z.ZodString {
  return z.string().min(1).max(maxPathCharacters).describe(text)
}

export function refuse(text: string): ToolResult {
  return { text: text.slice(0, maxResultCharacters), isError: true }
}

/** A path as a line shows it: nothing in it can end the line or hide. */
export function showPath(path: string): string {
  return showInvisible(path).replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1))
}

/** As many lines from the first on as an answer can hold. */
export function fitLines(lines: readonly string[]): readonly string[] {
  let characters = headCharacters
  const cut = lines.findIndex((line) => (characters += line.length + 1) > maxResultCharacters)
  return cut === -1 ? lines : lines.slice(0, cut)
}

/** `1 file`, `12 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`
}
