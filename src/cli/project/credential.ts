// `docent project credential set|show|check|sign|delete`: how the service signs in at the host of a project's repository.

import type { Command } from 'commander'
import type { CredentialReport } from '../../projects/access/access.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { runCheck } from './access-text.ts'
import {
  addCredentialOptions,
  credentialHelp,
  type CredentialOptions,
  printCredential,
  refuseUnusable,
  toCredential,
} from './credential-options.ts'

type Json = { readonly json?: true }
type SetOptions = Json & CredentialOptions

export function defineCredential(credential: Command, context: CommandContext): void {
  addSet(credential, context)
  addShow(credential, context)
  credential
    .command('check <project>')
    .description('check what the credential allows, and change nothing (`docent forge check --write` proves it)')
    .option('--json', 'print one JSON object')
    .action(async (project: string, { json }: Json) => runCheck(context, { project }, { json, write: false }))
  addSign(credential, context)
  addDelete(credential, context)
}

function addSet(credential: Command, context: CommandContext): void {
  addCredentialOptions(credential.command('set <project>'))
    .description('store the credential of a project, encrypted, and check it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', credentialHelp('docent project credential set Docs'))
    .action(async (project: string, options: SetOptions) => {
      const body = await toCredential(options, context)
      const response = await withProject(context, { project }, (api, id) => api.send('PUT', pathOf(id), body))
      const stored = JSON.parse(response.body) as CredentialReport
      if (options.json) context.output.print(response.body)
      else printCredential(context, stored)
      refuseUnusable(stored)
    })
}

function addShow(credential: Command, context: CommandContext): void {
  credential
    .command('show <project>')
    .description('show the credential of a project without its secret, and what the last check found')
    .option('--json', 'print one JSON object')
    .action(async (project: string, options: Json) => {
      const response = await withProject(context, { project }, (api, id) => api.send('GET', pathOf(id)))
      if (options.json) context.output.print(response.body)
      else printCredential(context, JSON.parse(response.body) as CredentialReport)
    })
}

function addDelete(credential: Command, context: CommandContext): void {
  credential
    .command('delete <project>')
    .description('delete the credential of a project')
    .option('--json', 'print one JSON object with projectId')
    .action(async (project: string, options: Json) => {
      const projectId = await withProject(context, { project }, async (api, id) => {
        await api.send('DELETE', pathOf(id))
        return id
      })
      const words = `Deleted the credential of ${projectId}. Revoke it at its host, too.`
      context.output.print(options.json ? JSON.stringify({ projectId, deleted: true }) : words)
    })
}

type SignOptions = Json & { readonly new?: true; readonly off?: true; readonly prove?: string }

function addSign(credential: Command, context: CommandContext): void {
  credential
    .command('sign <project>')
    .description('sign the commits of a project, and show the public key to enter at its forge')
    .option('--new', 'make another key')
    .option('--off', 'stop signing, and delete the key')
    .option('--prove <text>', 'sign the text that Gitea or Forgejo shows on the page of the key')
    .option('--json', 'print one JSON object')
    .action(async (project: string, options: SignOptions) => {
      const { prove: text } = options
      if ([options.new, options.off, text].filter(Boolean).length > 1) throw usage('Give one of --new, --off, --prove.')
      if (text !== undefined) return prove(context, { ...options, project, text })
      const stored = await withProject(context, { project }, async (api, id) => {
        const path = `${pathOf(id)}/signing-key`
        if (options.new || options.off) await api.send('DELETE', path)
        const response = options.off ? await api.send('GET', pathOf(id)) : await api.send('PUT', path)
        return response.body
      })
      if (options.json) return context.output.print(stored)
      const { signingKey } = JSON.parse(stored) as CredentialReport
      if (!signingKey) return context.output.print('Commits are not signed any more. Remove the key at the forge, too.')
      context.output.print(signingKey.publicKey)
      const where = signingKey.page === null ? 'the host' : signingKey.page
      context.output.print(`Enter it at ${where}, as a signing key of the account of the credential.`)
    })
}

type Proving = Json & { readonly project: string; readonly text: string }

async function prove(context: CommandContext, { project, text, json }: Proving): Promise<void> {
  const response = await withProject(context, { project }, (api, id) =>
    api.send('POST', `${pathOf(id)}/signing-key/prove`, { text }),
  )
  context.output.print(json ? response.body : (JSON.parse(response.body) as { signature: string }).signature)
}

function pathOf(projectId: string): string {
  return `/v1/projects/${encodeURIComponent(projectId)}/credential`
}
