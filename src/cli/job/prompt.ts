// The instruction of a job from the command line: as text, from a file, or from standard input.

import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { readStandardInput, readTextFile } from '../read-input.ts'

export type PromptOptions = { readonly prompt?: string; readonly file?: string }

/** `--prompt -` is standard input and `--prompt @file` a file, as `--file` is. Throws a usage failure, also for no text. */
export async function readPrompt(options: PromptOptions, context: CommandContext): Promise<string> {
  if ((options.prompt === undefined) === (options.file === undefined)) {
    throw usage('Give the instruction with --prompt or with --file.')
  }
  const text = await readText(options, context)
  if (text.trim() === '') throw usage('The instruction is empty.')
  return text
}

async function readText({ prompt, file }: PromptOptions, context: CommandContext): Promise<string> {
  if (prompt === '-') return readStandardInput('instruction', context)
  const path = prompt?.startsWith('@') ? prompt.slice(1) : file
  if (path === undefined) return prompt ?? ''
  return readTextFile(path, 'instruction')
}
