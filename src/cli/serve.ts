// `docent serve`, `docent worker` and `docent migrate`.

import type { Command } from 'commander'
import { parseConfig } from '../config/config.ts'
import { appliedMigrations } from '../postgres/migrate.ts'
import { openEngines } from '../service/engines.ts'
import { serve, type ServeOptions } from '../service/service.ts'
import { aborted, type CommandContext } from './context.ts'

export function addServeCommands(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('start the service: API and worker, and the embedded engines unless DATABASE_URL is set')
    .option('--no-worker', 'answer requests only; `docent worker` elsewhere works on the runs')
    .option('--json', 'print the ready line as JSON')
    .addHelpText(
      'after',
      '\nPrints one line with its address when it is ready. SIGTERM ends it within 30 seconds;\nruns in progress continue at the next start.',
    )
    .action(async ({ worker }: { readonly worker: boolean }) => {
      await run(context, worker ? {} : { role: 'server' }, (address) => `docent listens on ${address}`)
    })
  program
    .command('worker')
    .description(
      'work on the runs of the database at DATABASE_URL; with DOCENT_WORKER_PORT it answers about its health',
    )
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', '\nAs many as wanted may run at once, each with a data directory of its own.')
    .action(async () => {
      await run(context, { role: 'worker' }, (address) => `docent works; socket ${address}`)
    })
}

async function run(context: CommandContext, options: ServeOptions, ready: (address: string) => string): Promise<void> {
  const service = await serve(parseConfig(context.environment), { ...options, signal: context.stop })
  const { address, publicUrl } = service
  context.output.print(context.json ? JSON.stringify({ address, publicUrl }) : ready(address))
  await aborted(context.stop)
  await service.stop()
}

export function addMigrateCommand(program: Command, { environment, output }: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database schema up to date and exit (serve does it too)')
    .option('--json', 'print one JSON object')
    .action(async (options: { readonly json?: true }) => {
      const engines = await openEngines(parseConfig(environment))
      const schema = await appliedMigrations(engines.postgres.db)
      await engines.close()
      const { database, dataDir } = engines.config
      if (options.json) return output.print(JSON.stringify({ schema }))
      output.print(`${database.url ? 'The database' : `The data in ${dataDir}`} is up to date.`)
    })
}
