// The options that enter a credential, of a project or of a source, and how one is printed.

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CredentialReport } from '../../projects/access/access.ts'
import type { GivenCredential } from '../../projects/access/enter.ts'
import { forgeNames } from '../../projects/places.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { printFields } from '../output.ts'
import { readSecret } from '../read-input.ts'
import { missingRights, printAccess } from './access-text.ts'

export type CredentialOptions = {
  readonly forge?: GivenCredential['forge']
  readonly tokenFile?: string
  readonly token?: unknown
  readonly user?: string
  readonly installation?: number
  readonly apiUrl?: string
  readonly keyFile?: string
  readonly hostKeyFile?: string
}

export function addCredentialOptions(command: Command): Command {
  return command
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
}

/** `command`: how the help shows it, with the name of what gets the credential. */
export function credentialHelp(command: string): string {
  return `
A token is never an argument: other users see arguments in the list of processes, and the shell keeps them.
  ${command} --token-file token.txt
  pass show docs-token | ${command} --token-file -
For a repository over ssh (git@host:path), with a key that has no passphrase:
  ssh-keyscan git.example.com > host-key    # compare it with what the host publishes
  ${command} --key-file id_docs --host-key-file host-key`
}

export async function toCredential(options: CredentialOptions, context: CommandContext): Promise<GivenCredential> {
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

/** Fails if the stored credential cannot be used yet. */
export function refuseUnusable({ missing, problem }: CredentialReport): void {
  const bad = missingRights(missing)
  if (bad.length === 0 && problem === null) return
  const words = bad.length > 0 ? `${bad.join(', ')}.` : problem
  throw new CommandFailure('failed', 'repository_unauthorized', `Stored. It does not work yet: ${words}`)
}

/** `isReadOnly`: only the right to read was checked. */
export function printCredential({ output }: CommandContext, credential: CredentialReport, isReadOnly = false): void {
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
  const { rights } = credential
  printAccess(output, { ...credential, rights: rights && isReadOnly ? { read: rights.read } : rights, account: null })
}

function toId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write the number at the end of the address of the installation.')
}
