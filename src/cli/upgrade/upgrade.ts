// `docent upgrade --rehearse`: opens a copy of the data with this release, and compares it with the service that is running.

import type { Command } from 'commander'
import { amount } from '../../jobs/run/describe/lists.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import type { RehearseOptions } from './rehearse.ts'

type Options = RehearseOptions & { readonly rehearse?: true; readonly json?: true }

export function defineUpgrade(command: Command, context: CommandContext): void {
  command
    .option('--rehearse', 'open a copy of the data with this release, and compare it with the running service')
    .option('--backup <file>', 'keep the backup from which the copy is made: the way back after the upgrade')
    .option('--work <folder>', 'where the copy is made and removed (default: the data directory)')
    .option('--database <url>', 'with DATABASE_URL: a restored dump of that database, which is migrated')
    .option('--json', 'print one JSON object')
    .addHelpText('after', after)
    .action(async ({ rehearse: isRehearsal, json, ...options }: Options) => {
      if (!isRehearsal) throw usage(`An upgrade is: ${steps} Try it on a copy first: docent upgrade --rehearse`)
      const { rehearse } = await import('./rehearse.ts')
      const { describe } = await import('./describe.ts')
      const rehearsal = await rehearse(context, options)
      context.output.print(json ? JSON.stringify(rehearsal) : describe(rehearsal))
      const { length } = rehearsal.differences
      if (length > 0) {
        const counted = amount(length, 'difference')
        throw new CommandFailure('checkFailed', 'checks_failed', `${counted}: do not upgrade. The data are unchanged.`)
      }
    })
}

const steps = 'docent backup, stop the service, install the release, start it.'

const after = `
Run it with the release that you are about to install, for example \`npx docent@latest upgrade --rehearse\`, while the
release before it keeps running. It backs up the data, opens the copy, migrates it, counts the visitors of each window
again, and compares jobs, pull requests and visitors with the answers of the running service. The copy does no work: it
runs no job, asks no forge, and sends nothing. Nothing in the data directory changes, and the copy is removed.
The exit code is 5 if there are differences.`
