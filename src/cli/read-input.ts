// Reads what is too long or too secret for an argument: an instruction, a token, a key. From a file or from standard
// input; a usage failure never shows what was read.

import { readFile } from 'node:fs/promises'
import type { CommandContext } from './context.ts'
import { usage } from './exit.ts'

/** `what` continues "The …" in a failure, such as `private key`. */
export function readFileOrInput(file: string, what: string, context: CommandContext): Promise<string> {
  return file === '-' ? readStandardInput(what, context) : readTextFile(file, what)
}

export async function readStandardInput(what: string, { readInput }: CommandContext): Promise<string> {
  if (readInput) return readInput()
  throw usage(`There is no standard input to read the ${what} from.`)
}

export function readTextFile(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw usage(`The ${what} cannot be read: ${error.message}`)
  })
}
