// The instruction of a job from the command line: as text, from a file, or from standard input.

import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { readStandardInput, readTextFile } from '../read-input.ts'

export type PromptOptions = { readonly prompt?: string; readonly file?: string }

/** `--prompt -` is standard input and `--prompt @file` a file, as `--file` is. Throws a usage failure. */
export async function readPrompt({ prompt, file }: PromptOptions, context: CommandContext): Promise<string> {
  if ((prompt === undefined) === (file === undefined)) {
    throw usage('Give the instruction with --prompt or with --file.')
  }
  if (prompt === '-') return readStandardInput('instruction', context)
  const path = prompt?.startsWith('@') ? prompt.slice(1) : file
  if (path === undefined) return prompt ?? ''
  return readTextFile(path, 'instruction')
}
