// The option `--project`, the same for every command of a project.

import type { Command } from 'commander'

export function addProjectOption(command: Command): Command {
  return command.option('--project <project>', 'id or name (default: $DOCENT_PROJECT, or the only project)')
}
