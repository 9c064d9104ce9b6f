// `docent key create|list|rotate|revoke`: manages API keys. A key is printed once, when it is created or rotated.

import type { Command } from 'commander'
import { Option } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import { plainText } from '../../lib/plain-text.ts'
import { scopes } from '../../projects/grants.ts'
import type { Key, ShownKey } from '../../projects/keys.ts'
import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { findProject, withApi } from '../api/with-api.ts'
import { parseDuration, parseExpiry } from './duration.ts'
import { printTable } from '../output.ts'

type CreateOptions = {
  readonly name: string
  readonly project?: readonly string[]
  readonly scope: string
  readonly expires?: string
  readonly address?: readonly string[]
  readonly json?: true
}
type RotateOptions = { readonly overlap?: number; readonly expires?: string; readonly json?: true }

export function defineKey(key: Command, context: CommandContext): void {
  addCreate(key, context)
  addList(key, context)
  addRotate(key, context)
  addRevoke(key, context)
}

function addCreate(key: Command, context: CommandContext): void {
  key
    .command('create')
    .description('create a key and print it; it is shown only once')
    .requiredOption('--name <name>', 'a name for people')
    .option('--project <project...>', 'id or name of a project that it may use; repeatable (default: all)')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('write'))
    .option('--expires <when>', 'when it expires: days, a date, or never (default: never)', toExpiry)
    .option('--address <cidr...>', 'an address or network that may use it (default: any)')
    .option('--json', 'print one JSON object with id and key')
    .action(async (options: CreateOptions) => {
      const { body } = await withApi(context, async (api) => api.send('POST', '/v1/keys', await toNewKey(api, options)))
      printShown(context, body, options.json)
    })
}

async function toNewKey(api: Api, { name, scope, project, expires = 'never', address }: CreateOptions) {
  const projectIds = project ? await Promise.all(project.map((one) => findProject(api, one))) : null
  return { name, scope, projectIds, expiresAt: toExpiresAt(expires), allowedAddresses: address ?? null }
}

function addList(key: Command, context: CommandContext): void {
  const { output } = context
  key
    .command('list')
    .description('list the keys; the keys themselves are not shown')
    .option('--json', 'print a JSON array')
    .action(async (options: { readonly json?: true }) => {
      const { body } = await withApi(context, (api) => api.send('GET', '/v1/keys'))
      const { keys } = JSON.parse(body) as { readonly keys: readonly Key[] }
      if (options.json) output.print(JSON.stringify(keys))
      else printTable(output, heading, keys.map(toRow))
    })
}

function addRotate(key: Command, context: CommandContext): void {
  key
    .command('rotate <keyId>')
    .description('replace a key; the old one keeps working for the overlap')
    .option('--overlap <duration>', 'how long the old key keeps working: 30m, 24h, 7d (default: 24h)', parseDuration)
    .option('--expires <when>', 'when the new one expires (default: after the same lifetime as the old one)', toExpiry)
    .option('--json', 'print one JSON object with id and key')
    .action(async (id: string, options: RotateOptions) => {
      const body = { overlapSeconds: options.overlap, expiresAt: toExpiresAt(options.expires) }
      const path = `/v1/keys/${encodeURIComponent(id)}/rotate`
      const response = await withApi(context, (api) => api.send('POST', path, body))
      printShown(context, response.body, options.json)
    })
}

function addRevoke(key: Command, context: CommandContext): void {
  key
    .command('revoke <keyId>')
    .description('revoke a key at once')
    .option('--json', 'print one JSON object with id')
    .action(async (id: string, options: { readonly json?: true }) => {
      await withApi(context, (api) => api.send('DELETE', `/v1/keys/${encodeURIComponent(id)}`))
      context.output.print(options.json ? JSON.stringify({ id, revoked: true }) : `Revoked ${id}.`)
    })
}

function toExpiry(text: string): string {
  return parseExpiry(text, systemClock.now())
}

function toExpiresAt(expiry: string | undefined): string | null | undefined {
  return expiry === 'never' ? null : expiry
}

function printShown({ output }: CommandContext, body: string, json: true | undefined): void {
  const made = JSON.parse(body) as ShownKey
  if (json) output.print(body)
  else output.print(`${made.key}\nThis is key ${made.id}. Store it now: it is not shown again.`)
}

const heading = ['KEY', 'NAME', 'SCOPE', 'HINT', 'PROJECTS', 'STATE', 'EXPIRES', 'LAST USED']

function toRow(key: Key): readonly string[] {
  const projects = key.projectIds?.join(' ') ?? 'all'
  const times = [key.expiresAt ?? 'never', key.lastUsedAt ?? 'never']
  return [key.id, plainText(key.name), key.scope, key.hint, projects, key.state, ...times]
}
