// The commands of `docent`, each in a file of its own.

import { Command } from 'commander'
import { version } from '../service/version.ts'
import { addAnalyticsCommands } from './analytics/analytics.ts'
import type { CommandContext } from './context.ts'
import { addBackupCommands } from './backup.ts'
import { addCompletionCommand } from './completion/completion.ts'
import { addDoctorCommand } from './doctor/doctor.ts'
import { addDemoCommand } from './demo/demo.ts'
import { exitHelp } from './exit.ts'
import { addJobCommands } from './job/job.ts'
import { addKeyCommands } from './project/key.ts'
import { addProjectCommands } from './project/project.ts'
import { addMigrateCommand, addServeCommands } from './serve.ts'
import { addSiteCommands } from './project/site.ts'

export function createProgram(context: CommandContext): Command {
  const program = new Command('docent')
    .description('Edits documentation repositories by agent jobs and opens pull requests.')
    .version(version)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .showHelpAfterError(context.json ? false : '(docent --help lists the commands)')
    .configureOutput({
      writeOut: (text) => context.output.print(text.replace(/\n$/, '')),
      writeErr: (text) => context.output.warn(text.replace(/\n$/, '')),
      ...(context.json ? { outputError: () => undefined } : {}),
    })
    .exitOverride()
    .addHelpText('after', after)
  addServeCommands(program, context)
  addMigrateCommand(program, context)
  addDemoCommand(program, context)
  addProjectCommands(program, context)
  addSiteCommands(program, context)
  addKeyCommands(program, context)
  addJobCommands(program, context)
  addAnalyticsCommands(program, context)
  addDoctorCommand(program, context)
  addBackupCommands(program, context)
  addCompletionCommand(program, context)
  return program
}

const after = `
Settings come from the environment and from .env: docs/operations.md has the table.
While a service runs on the data directory, commands reach it through its socket; with DOCENT_URL and DOCENT_API_KEY
they reach any service over HTTP. 'project', 'site', 'key' and 'analytics' also work on the data directly while no
service runs.

A command that prints takes --json: one JSON document on standard output, and a problem on standard error.
Exit codes:
${exitHelp()}

Begin with:
  docent demo
  docent serve`
