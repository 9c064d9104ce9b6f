// `docent analytics …`: page views in, counts out. Each command in a file of its own.

import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { addImportCommand } from './import.ts'

export function addAnalyticsCommands(program: Command, context: CommandContext): void {
  const analytics = program.command('analytics').description('import access logs')
  addImportCommand(analytics, context)
}
