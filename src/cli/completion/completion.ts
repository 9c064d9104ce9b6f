// `docent completion bash|zsh|fish`: prints the script that completes commands, options and choices in a shell.

import { Argument, type Command } from 'commander'
import type { CommandContext } from '../context.ts'
import type { DefineAll } from '../lazy-commands.ts'
import { writeBash } from './bash.ts'
import { writeFish } from './fish.ts'
import { collectPlaces } from './places.ts'
import { writeZsh } from './zsh.ts'

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const
type Shell = keyof typeof writers

const help = `
  bash   eval "$(docent completion bash)"
  zsh    autoload -U compinit && compinit && eval "$(docent completion zsh)"
  fish   docent completion fish | source`

export function defineCompletion(command: Command, { output }: CommandContext, defineAll: DefineAll): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(writers)))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      await defineAll()
      output.print(writers[shell](collectPlaces(command.parent ?? command)))
    })
}
