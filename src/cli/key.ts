// `docent key create|list|revoke`.

import type { Command } from 'commander'
import { Option } from 'commander'
import { scopes } from '../projects/keys.ts'
import { plainText } from '../lib/plain-text.ts'
import { printTable } from './output.ts'
import { type CommandContext, withApi } from './context.ts'

type CreateOptions = {
  readonly name: string
  readonly project?: readonly string[]
  readonly scope: string
  readonly json?: true
}
type Key = {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly hint: string
  readonly projectIds: readonly string[] | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const { output } = context
  const key = program.command('key').description('create, list and revoke admin API keys')
  key
    .command('create')
    .description('create a key; its text is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--project <id...>', 'a project that it may use; may come more than once (default: all)')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('write'))
    .option('--json', 'print one JSON object with id and key')
    .action(async (options: CreateOptions) => {
      const body = { name: options.name, scope: options.scope, projectIds: options.project ?? null }
      const answer = await withApi(context, (api) => api.send('POST', '/v1/keys', body))
      const made = JSON.parse(answer.body) as Key & { readonly key: string }
      if (options.json) output.print(answer.body)
      else output.print(`${made.key}\nThis is key ${made.id}. Keep it now: it is not shown again.`)
    })
  key
    .command('list')
    .description('list the keys, without their texts')
    .option('--json', 'print a JSON array')
    .action(async (options: { readonly json?: true }) => {
      const { body } = await withApi(context, (api) => api.send('GET', '/v1/keys'))
      const { keys } = JSON.parse(body) as { readonly keys: readonly Key[] }
      if (options.json) output.print(JSON.stringify(keys))
      else printTable(output, ['KEY', 'NAME', 'SCOPE', 'HINT', 'PROJECTS', 'STATE'], keys.map(toRow))
    })
  key
    .command('revoke <keyId>')
    .description('revoke a key, at once')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { readonly json?: true }) => {
      await withApi(context, (api) => api.send('DELETE', `/v1/keys/${encodeURIComponent(id)}`))
      output.print(options.json ? JSON.stringify({ id, revoked: true }) : `Revoked ${id}.`)
    })
}

function toRow(key: Key): readonly string[] {
  const state = key.revokedAt ? 'revoked' : key.lastUsedAt ? `used ${key.lastUsedAt}` : 'never used'
  return [key.id, plainText(key.name), key.scope, key.hint, key.projectIds?.join(' ') ?? 'all', state]
}
