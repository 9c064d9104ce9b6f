// Reads what is too long or too secret for an argument: an instruction, a token, a key. From a file or from standard
// input; a usage failure never shows what was read.

import { readFile } from 'node:fs/promises'
import type { CommandContext } from './context.ts'
import { usage } from './exit.ts'

/** Whether Enter ends the input. Otherwise Ctrl-D does, because the input has many lines. */
const isLine = { token: true, key: true, 'private key': false, 'host key': false } as const

/** A terminal does not show it while it is typed. `what` continues "The …" in a failure. */
export function readSecret(file: string, what: keyof typeof isLine, context: CommandContext): Promise<string> {
  if (file !== '-') return readTextFile(file, what)
  return context.readHidden ? context.readHidden(what, isLine[what]) : readStandardInput(what, context)
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
