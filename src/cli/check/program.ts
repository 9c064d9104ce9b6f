// The command line of the package that only checks: `docent check` without the other commands.

import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { createRoot } from '../lazy-commands.ts'
import { defineCheck } from './check.ts'

export function createProgram(context: CommandContext): Command {
  const program = createRoot('docent-check', context).description(
    'Checks the documentation in a folder: links, navigation, frontmatter, syntax.',
  )
  defineCheck(program, context)
  return program
}
