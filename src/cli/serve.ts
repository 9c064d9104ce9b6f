// `docent serve` and `docent migrate`.

import type { Command } from 'commander'
import { parseConfig } from '../config.ts'
import { openEngines, serve } from '../serve.ts'
import { aborted, type CommandContext } from './context.ts'

export function addServeCommand(program: Command, { environment, output, stop }: CommandContext): void {
  program
    .command('serve')
    .description('start the service: API, worker and embedded engines in one process')
    .addHelpText(
      'after',
      '\nPrints one line with its address when it is ready. SIGTERM ends it within 30 seconds;\nruns in progress continue at the next start.',
    )
    .action(async () => {
      const service = await serve(parseConfig(environment))
      output.print(`docent listens on ${service.address}`)
      await aborted(stop)
      await service.stop()
    })
}

export function addMigrateCommand(program: Command, { environment, output }: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database schema up to date and exit (serve does it too)')
    .action(async () => {
      const engines = await openEngines(parseConfig(environment))
      await engines.close()
      output.print(`The data in ${engines.config.dataDir} is up to date.`)
    })
}
