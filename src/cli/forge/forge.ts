// `docent forge check`: shows what the service may do with the repository of a project, and proves it on request. `docent forge
// webhook` has a file of its own.

import type { Command } from 'commander'
import type { ProjectOption } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { runCheck } from '../project/access-text.ts'
import { addProjectOption } from '../project-option.ts'
import { defineForgeWebhook } from './webhook.ts'

type Options = ProjectOption & { readonly write?: true; readonly json?: true }

export function defineForge(forge: Command, context: CommandContext): void {
  addProjectOption(forge.command('check'))
    .description('check what the service may do with the repository; with --write, prove it as a job would')
    .option('--write', 'also try it: push a scratch branch, open a draft, close it, delete the branch')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      await runCheck(context, options, { json: options.json, write: options.write === true })
    })
  const webhook = forge.command('webhook')
  webhook.description('create, list and delete webhooks, with which a forge says at once that something happened')
  defineForgeWebhook(webhook, context)
}
