// `docent person list|invite|reset|remove` and `docent setup-link`: the accounts of people, for an operator who cannot
// sign in. Links are printed once.

import { Option, type Command } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { Person } from '../../people/people.ts'
import { roles } from '../../people/roles.ts'
import { Failure } from '../../lib/failure.ts'
import type { Api } from '../api/api.ts'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { printTable } from '../output.ts'

type Json = { readonly json?: true | undefined }

export function definePerson(person: Command, context: CommandContext): void {
  addList(person, context)
  addInvite(person, context)
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

function toRow({ email, name, role, lastSeenAt }: Person): readonly string[] {
  return [plainText(email), plainText(name), role, lastSeenAt ?? 'never']
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
    .action(async (email: string, { yes }: { readonly yes?: true }) => {
      if (!yes) throw usage('This ends the sessions of the person at once. Confirm with --yes.')
      await withApi(context, async (api) => {
        const found = await findPerson(api, email)
        if (!found) throw new Failure('not_found', 'Nobody has an account with this e-mail address.')
        await api.send('DELETE', `/v1/people/${found.id}`)
      })
      context.output.print(`${plainText(email)} is removed.`)
    })
}

export async function findPerson(api: Api, email: string): Promise<Person | undefined> {
  return (await listPeople(api)).find((person) => person.email.toLowerCase() === email.toLowerCase())
}

async function listPeople(api: Api): Promise<readonly Person[]> {
  const { body } = await api.send('GET', '/v1/people')
  return (JSON.parse(body) as { readonly people: readonly Person[] }).people
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
