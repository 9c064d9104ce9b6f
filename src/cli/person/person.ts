// `docent person list|invite|role|reset|remove` and `docent setup-link`: the accounts of people, for an operator who cannot
// sign in. Links are printed once.

import { Option, type Command } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { ListedPerson } from '../../people/people.ts'
import { roles } from '../../people/roles.ts'
import { Failure } from '../../lib/failure.ts'
import type { Key } from '../../projects/keys.ts'
import type { Api } from '../api/api.ts'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { printTable } from '../output.ts'

type Json = { readonly json?: true | undefined }

export function definePerson(person: Command, context: CommandContext): void {
  addList(person, context)
  addInvite(person, context)
  addRole(person, context)
  addReset(person, context)
  addRemove(person, context)
}

export function defineSetupLink(command: Command, context: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async ({ json }: Json) => {
    refuseRemote(context)
    await printLink(context, { path: '/local/setup-link', json, words: 'Create the first account within an hour' })
  })
}

function addList(person: Command, context: CommandContext): void {
  person
    .command('list')
    .description('list the people who can sign in')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Json) => {
      const people = await withApi(context, listPeople)
      if (json) context.output.print(JSON.stringify(people))
      else printTable(context.output, ['E-MAIL', 'NAME', 'ROLE', 'LAST SEEN'], people.map(toRow))
    })
}

function toRow({ email, name, role, lastSeenAt, limitedKey }: ListedPerson): readonly string[] {
  const origin = limitedKey === null ? '' : ` (by the limited key ${plainText(limitedKey.name)})`
  return [plainText(email), plainText(name), role + origin, lastSeenAt ?? 'never']
}

function addInvite(person: Command, context: CommandContext): void {
  person
    .command('invite <email>')
    .description('print the link with which somebody creates an account within seven days')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('viewer'))
    .option('--json', 'print one JSON object')
    .action(async (email: string, { role, json }: Json & { readonly role: string }) => {
      const words = 'Send this link, which works once within seven days'
      await printLink(context, { path: '/v1/invitations', wanted: { email, role }, json, words })
    })
}

function addRole(person: Command, context: CommandContext): void {
  person
    .command('role <email> <role>')
    .description('give somebody another role, or confirm the role of an admin that a limited key invited')
    .addOption(revokeKeys())
    .option('--json', 'print one JSON object')
    .action(async (email: string, role: string, { revokeKeys, json }: RevokeKeys & Json) => {
      if (!roles.some((one) => one === role)) throw usage(`The roles are ${roles.join(', ')}.`)
      const left = await withApi(context, async (api) => {
        const { id } = await getPerson(api, email)
        return takeKeys(api, (await api.send('PATCH', `/v1/people/${id}`, { role })).body, revokeKeys)
      })
      const says = `${plainText(email)} is ${role === 'viewer' ? 'a' : 'an'} ${role} now.`
      printLeft(context, left, { says, json })
    })
}

function addReset(person: Command, context: CommandContext): void {
  person
    .command('reset <email>')
    .description('print the link with which somebody chooses a new password')
    .option('--json', 'print one JSON object')
    .action(async (email: string, { json }: Json) => {
      refuseRemote(context)
      const wanted = { email, purpose: 'password' }
      const words = 'Open this link, which works once within an hour, to choose a new password'
      await printLink(context, { path: '/local/sign-in-link', wanted, json, words })
    })
}

function addRemove(person: Command, context: CommandContext): void {
  person
    .command('remove <email>')
    .description('remove an account, which ends its sessions')
    .option('--yes', 'confirm')
    .addOption(revokeKeys())
    .option('--json', 'print one JSON object')
    .action(async (email: string, { yes, revokeKeys, json }: RevokeKeys & Json & { readonly yes?: true }) => {
      if (!yes) throw usage('This ends the sessions of the person at once. Confirm with --yes.')
      const left = await withApi(context, async (api) => {
        const { id } = await getPerson(api, email)
        return takeKeys(api, (await api.send('DELETE', `/v1/people/${id}`)).body, revokeKeys)
      })
      printLeft(context, left, { says: `${plainText(email)} is removed.`, json })
    })
}

type RevokeKeys = { readonly revokeKeys?: true }

function revokeKeys(): Option {
  return new Option('--revoke-keys', 'of an admin who is one no longer, also revoke the keys that they made')
}

/** Made by the person, as the response says. */
type Left = {
  readonly keys: readonly Key[]
  readonly withdrawnInvitations: readonly string[]
  readonly areRevoked: boolean
}

async function takeKeys(api: Api, body: string, areRevoked = false): Promise<Left> {
  const nothing = { keys: [], withdrawnInvitations: [] }
  const { keys, withdrawnInvitations } = body === '' ? nothing : (JSON.parse(body) as Omit<Left, 'areRevoked'>)
  if (areRevoked) for (const { id } of keys) await api.send('DELETE', `/v1/keys/${id}`)
  return { keys, withdrawnInvitations, areRevoked }
}

type Says = Json & { readonly says: string }

function printLeft({ output }: CommandContext, left: Left, { says, json }: Says): void {
  if (json) return output.print(JSON.stringify(left))
  const { keys, withdrawnInvitations, areRevoked } = left
  output.print(says)
  if (withdrawnInvitations.length > 0)
    output.print(`Withdrawn invitations: ${withdrawnInvitations.map((email) => plainText(email)).join(', ')}.`)
  if (keys.length === 0) return
  output.print(
    areRevoked ? 'Revoked keys that they made:' : 'Keys that they made still work. Revoke those of no other use:',
  )
  for (const { id, name } of keys)
    output.print(areRevoked ? `  ${id} ${plainText(name)}` : `  docent key revoke ${id}  # ${plainText(name)}`)
}

export async function findPerson(api: Api, email: string): Promise<ListedPerson | undefined> {
  return (await listPeople(api)).find((person) => person.email.toLowerCase() === email.toLowerCase())
}

async function getPerson(api: Api, email: string): Promise<ListedPerson> {
  const found = await findPerson(api, email)
  if (!found) throw new Failure('not_found', 'Nobody has an account with this e-mail address.')
  return found
}

async function listPeople(api: Api): Promise<readonly ListedPerson[]> {
  const { body } = await api.send('GET', '/v1/people')
  return (JSON.parse(body) as { readonly people: readonly ListedPerson[] }).people
}

type LinkRequest = Json & { readonly path: string; readonly wanted?: object; readonly words: string }

/** Creates the link with a POST of `wanted` to `path`, and prints it after `words`. */
async function printLink(context: CommandContext, { path, wanted, json, words }: LinkRequest): Promise<void> {
  const { body } = await withApi(context, (api) => api.send('POST', path, wanted))
  const { link } = JSON.parse(body) as { readonly link: string }
  context.output.print(json ? body : `${words}:\n  ${link}`)
}

function refuseRemote({ environment }: CommandContext): void {
  if (environment['DOCENT_URL']) {
    throw usage('DOCENT_URL is set, but this link is only created on the machine of the service.')
  }
}
