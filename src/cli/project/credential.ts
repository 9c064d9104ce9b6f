// `docent project credential set|show|check|sign|delete`: how the service signs in at the host of a project's repository.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CredentialReport } from '../../projects/access/access.ts'
import type { GivenCredential } from '../../projects/access/enter.ts'
import { forgeNames } from '../../projects/places.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { printFields } from '../output.ts'
import { readSecret } from '../read-input.ts'
import { missingRights, printAccess, runCheck } from './access-text.ts'

type Json = { readonly json?: true }
type SetOptions = Json & {
  readonly forge?: GivenCredential['forge']
  readonly tokenFile?: string
  readonly token?: unknown
  readonly user?: string
  readonly installation?: number
  readonly apiUrl?: string
  readonly keyFile?: string
  readonly hostKeyFile?: string
}

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
  credential
    .command('set <project>')
    .description('store the credential of a project, encrypted, and check it')
    .addOption(new Option('--forge <forge>', 'default: found out from the host').choices(forgeNames))
    .option('--token-file <file>', 'read the token, or the password of --user, from a file; - is standard input')
    .option(
      '--user <user>',
      'the user, for --forge git; for an API token of Bitbucket the e-mail address of its account',
    )
    .option('--installation <id>', 'instead of a token: an installation of the GitHub App of this service', toId)
    .option('--api-url <address>', "the base address of the forge's API, if it differs from the usual one")
    .option('--key-file <file>', 'for ssh: read the private key from a file; - is standard input')
    .option('--host-key-file <file>', 'for ssh: read the keys of the host (output of ssh-keyscan) from a file')
    .addOption(new Option('--token [token]').hideHelp())
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(async (project: string, options: SetOptions) => {
      const body = await toBody(options, context)
      const response = await withProject(context, { project }, (api, id) => api.send('PUT', pathOf(id), body))
      const stored = JSON.parse(response.body) as CredentialReport
      if (options.json) context.output.print(response.body)
      else printCredential(context, stored)
      refuseUnusable(stored)
    })
}

function refuseUnusable({ missing, problem }: CredentialReport): void {
  const bad = missingRights(missing)
  if (bad.length === 0 && problem === null) return
  const words = bad.length > 0 ? `${bad.join(', ')}.` : problem
  throw new CommandFailure('failed', 'repository_unauthorized', `Stored. It does not work yet: ${words}`)
}

const help = `
A token is never an argument: other users see arguments in the list of processes, and the shell keeps them.
  docent project credential set Docs --token-file token.txt
  pass show docs-token | docent project credential set Docs --token-file -
For a repository over ssh (git@host:path), with a key that has no passphrase:
  ssh-keyscan git.example.com > host-key    # compare it with what the host publishes
  docent project credential set Docs --key-file id_docs --host-key-file host-key`

async function toBody(options: SetOptions, context: CommandContext): Promise<GivenCredential> {
  const { forge, tokenFile, token, user, installation, apiUrl, keyFile, hostKeyFile } = options
  if (token !== undefined) {
    throw usage(
      'Never write a token on the command line: other users see it in the list of processes, and the shell keeps it. Revoke this one, and give a new one with --token-file FILE, or with --token-file - on standard input.',
    )
  }
  if (keyFile !== undefined && hostKeyFile !== undefined && tokenFile === undefined && installation === undefined) {
    const [privateKey, hostKey] = [
      await readSecret(keyFile, 'private key', context),
      await readSecret(hostKeyFile, 'host key', context),
    ]
    return { forge, user, apiUrl, privateKey, hostKey }
  }
  if (keyFile !== undefined || hostKeyFile !== undefined) {
    throw usage('For ssh give both --key-file and --host-key-file, and no token.')
  }
  if ((tokenFile === undefined) === (installation === undefined)) {
    throw usage('Give the token with --token-file, or an installation of a GitHub App with --installation.')
  }
  const secret = tokenFile === undefined ? undefined : await readSecret(tokenFile, 'token', context)
  return { forge, token: secret, user, installationId: installation, apiUrl }
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

function printCredential({ output }: CommandContext, credential: CredentialReport): void {
  const { kind, forge, webUrl, apiUrl, account, installationId, checkedAt, updatedAt, signingKey } = credential
  const fields = {
    kind,
    ...(forge === null ? {} : { forge }),
    host: webUrl,
    ...(apiUrl === null ? {} : { api: apiUrl }),
    ...(installationId === null ? {} : { installation: String(installationId) }),
    ...(account === null ? {} : { account }),
    ...(signingKey === null ? {} : { signingKey: signingKey.fingerprint }),
    updated: updatedAt,
    checked: checkedAt ?? 'not yet',
  }
  printFields(output, fields)
  printAccess(output, { ...credential, account: null })
}

function pathOf(projectId: string): string {
  return `/v1/projects/${encodeURIComponent(projectId)}/credential`
}

function toId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write the number at the end of the address of the installation.')
}
