// `docent serve`, `docent worker` and `docent migrate`. The service is loaded when one of them runs.

import type { Command } from 'commander'
import { parseConfig } from '../config/config.ts'
import type { ServeOptions } from '../service/service.ts'
import { aborted, type CommandContext } from './context.ts'
import { CommandFailure } from './exit.ts'
import { withoutYoungGrowth } from '../lib/memory/young-generation.ts'

const serveHelp = `
Prints one line with its address when it is ready. SIGTERM ends it within 30 seconds; runs in progress continue at the
next start.`

export function defineServe(command: Command, context: CommandContext): void {
  command
    .option('--no-worker', 'only serve requests; run `docent worker` elsewhere to process jobs', true)
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', serveHelp)
    .action(async ({ worker }: { readonly worker: boolean }) => {
      await run(context, worker ? {} : { role: 'server' }, (address) => `docent listens on ${address}`)
    })
}

const workerHelp = `
Any number of workers can run at once, each with its own data directory. With DOCENT_WORKER_PORT, a worker serves
/healthz, /readyz and /metrics.`

export function defineWorker(command: Command, context: CommandContext): void {
  command
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', workerHelp)
    .action(async () => {
      await run(
        context,
        { role: 'worker' },
        (address) => `docent works; ${address.startsWith('http') ? 'health and metrics at' : 'socket'} ${address}`,
      )
    })
}

async function run(context: CommandContext, options: ServeOptions, ready: (address: string) => string): Promise<void> {
  const signal = context.stop
  const service = await withoutYoungGrowth(async () => {
    const { serve } = await import('../service/service.ts')
    return serve(parseConfig(context.environment), { ...options, signal })
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error
    throw new CommandFailure('stopped', 'unavailable', 'Stopped before the service was ready.')
  })
  const { address, publicUrl, setupLink } = service
  context.output.print(
    context.json ? JSON.stringify({ address, publicUrl, setupLink: setupLink ?? null }) : ready(address),
  )
  if (setupLink !== undefined && !context.json) {
    context.output.print(`There is no account yet. Create the first one within an hour: ${setupLink}`)
  }
  await aborted(signal)
  await service.stop()
}

export function defineMigrate(command: Command, { environment, output }: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async (options: { readonly json?: true }) => {
    const { openEngines } = await import('../service/engines.ts')
    const { appliedMigrations } = await import('../postgres/migrate.ts')
    const engines = await openEngines(parseConfig(environment))
    const schema = await appliedMigrations(engines.postgres.db)
    await engines.close()
    const { database, dataDir } = engines.config
    if (options.json) return output.print(JSON.stringify({ schema }))
    output.print(`${database.url ? 'The database' : `The data in ${dataDir}`} is up to date.`)
  })
}
