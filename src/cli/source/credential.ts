// `docent source credential set|show|remove`: how the service signs in at the host of a source.

import type { Command } from 'commander'
import type { CredentialReport } from '../../projects/access/access.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import {
  addCredentialOptions,
  credentialHelp,
  type CredentialOptions,
  printCredential,
  refuseUnusable,
  toCredential,
} from '../project/credential-options.ts'
import { addProjectOption } from '../project-option.ts'
import { pathOf, type SourceOptions } from './access-text.ts'

export function defineSourceCredential(credential: Command, context: CommandContext): void {
  addSet(credential, context)
  addProjectOption(credential.command('show <name>'))
    .description('show the credential of a source without its secret, and what the last check found')
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: SourceOptions) => {
      const { body } = await withProject(context, options, (api, id) => api.send('GET', addressOf(id, name)))
      if (options.json) context.output.print(body)
      else printCredential(context, JSON.parse(body) as CredentialReport, true)
    })
  addProjectOption(credential.command('remove <name>'))
    .description('remove the credential of a source')
    .option('--json', 'print one JSON object with name')
    .action(async (name: string, options: SourceOptions) => {
      await withProject(context, options, (api, id) => api.send('DELETE', addressOf(id, name)))
      const words = `Removed the credential of the source ${name}. Revoke it at its host, too.`
      context.output.print(options.json ? JSON.stringify({ name, deleted: true }) : words)
    })
}

function addSet(credential: Command, context: CommandContext): void {
  addProjectOption(addCredentialOptions(credential.command('set <name>')))
    .description('store the credential of a source, encrypted, and check it; it needs no right but to read')
    .option('--json', 'print one JSON object')
    .addHelpText('after', credentialHelp('docent source credential set api'))
    .action(async (name: string, options: SourceOptions & CredentialOptions) => {
      const body = await toCredential(options, context)
      const response = await withProject(context, options, (api, id) => api.send('PUT', addressOf(id, name), body))
      const stored = JSON.parse(response.body) as CredentialReport
      if (options.json) context.output.print(response.body)
      else printCredential(context, stored, true)
      refuseUnusable(stored)
    })
}

function addressOf(projectId: string, name: string): string {
  return `${pathOf(projectId, name)}/credential`
}
