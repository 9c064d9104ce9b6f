// `docent analytics …`: page views in, counts out. Each command in a file of its own.

import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { addExportCommand } from './export.ts'
import { addImportCommand } from './import.ts'
import { addReclassifyCommand } from './reclassify.ts'
import { addRefreshRangesCommand } from './refresh-ranges.ts'
import { addSummaryCommand } from './summary.ts'

export function addAnalyticsCommands(program: Command, context: CommandContext): void {
  const analytics = program.command('analytics').description('import access logs, and read what page views tell')
  addImportCommand(analytics, context)
  addSummaryCommand(analytics, context)
  addExportCommand(analytics, context)
  addReclassifyCommand(analytics, context)
  addRefreshRangesCommand(analytics, context)
}
