// `docent completion bash|zsh|fish`: prints the script for a shell.

import { Argument, type Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { type Shell, shells, writeScript } from './scripts.ts'
import { collectPlaces } from './words.ts'

const help = `
  bash   eval "$(docent completion bash)"
  zsh    docent completion zsh > "\${fpath[1]}/_docent"
  fish   docent completion fish > ~/.config/fish/completions/docent.fish`

export function addCompletionCommand(program: Command, { output }: CommandContext): void {
  program
    .command('completion')
    .description('print the script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', help)
    .action((shell: Shell) => output.print(writeScript(shell, collectPlaces(program)).trimEnd()))
}
