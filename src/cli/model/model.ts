// `docent model list` and `docent model key set|list|check|delete`: the models that can be used, and the keys of their
// providers. A key comes from a file or standard input, never from an argument, which other users of the machine see.

import { Argument, type Command } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { ModelKeyCheck } from '../../models/check.ts'
import type { ModelKey } from '../../models/keys.ts'
import type { ModelPrice, UsableModel } from '../../models/list.ts'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { printTable } from '../output.ts'
import { readSecret } from '../read-input.ts'

type Json = { readonly json?: true }
type SetOptions = Json & { readonly keyFile?: string; readonly baseUrl?: string }
type CheckOptions = Json & { readonly model?: string }

export function defineModel(model: Command, context: CommandContext): void {
  addList(model, context)
  const key = model.command('key').description('store, list, check and delete the keys of providers')
  addSet(key, context)
  addKeyList(key, context)
  addCheck(key, context)
  addDelete(key, context)
}

function addList(model: Command, context: CommandContext): void {
  model
    .command('list')
    .description('list the models that can be used, with prices in US dollars per million tokens')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Json) => {
      const { body } = await withApi(context, (api) => api.send('GET', '/v1/models'))
      const { models } = JSON.parse(body) as { readonly models: readonly UsableModel[] }
      if (json) context.output.print(JSON.stringify(models))
      else printTable(context.output, ['MODEL', 'CONTEXT', 'INPUT', 'CACHED', 'OUTPUT', ''], models.map(toModelRow))
    })
}

function addSet(key: Command, context: CommandContext): void {
  key
    .command('set')
    .addArgument(providerArgument())
    .description('store the key of a provider, encrypted; runs use it unless the environment has one')
    .option('--key-file <file>', 'read the key from a file; - is standard input')
    .option('--base-url <address>', 'another address of its API; required for compatible, where the key is optional')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nThen prove it with: docent model key check PROVIDER')
    .action(async (provider: string, { keyFile, baseUrl, json }: SetOptions) => {
      if (keyFile === undefined && (provider !== 'compatible' || baseUrl === undefined)) {
        throw usage('Give the key with --key-file FILE, or --key-file - for standard input.')
      }
      const apiKey = keyFile === undefined ? null : await readKey(keyFile, context)
      const sent = { apiKey, baseUrl: baseUrl ?? null }
      const { body } = await withApi(context, (api) => api.send('PUT', pathOf(provider), sent))
      context.output.print(json ? body : describeStored(JSON.parse(body) as ModelKey))
    })
}

function addKeyList(key: Command, context: CommandContext): void {
  key
    .command('list')
    .description('list the providers that have a key; the keys themselves are not shown')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Json) => {
      const { body } = await withApi(context, (api) => api.send('GET', '/v1/model-keys'))
      const { modelKeys } = JSON.parse(body) as { readonly modelKeys: readonly ModelKey[] }
      const heading = ['PROVIDER', 'SOURCE', 'STORED', 'ADDRESS', 'CHECKED', 'PROBLEM']
      if (json) context.output.print(JSON.stringify(modelKeys))
      else printTable(context.output, heading, modelKeys.map(toKeyRow))
    })
}

function addCheck(key: Command, context: CommandContext): void {
  key
    .command('check')
    .addArgument(providerArgument())
    .description('request one token from the provider, to check whether it accepts the key')
    .option('--model <model>', 'the model to use (default: that of the service, or the cheapest known one)')
    .option('--json', 'print one JSON object')
    .action(async (provider: string, { model, json }: CheckOptions) => {
      const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`
      const { body } = await withApi(context, (api) => api.send('POST', `${pathOf(provider)}/check${query}`))
      const result = JSON.parse(body) as ModelKeyCheck
      const tokens = `${result.inputTokens} + ${result.outputTokens} tokens`
      if (json) context.output.print(body)
      else if (result.problem === null) context.output.print(`${plainText(result.model)} responded (${tokens}).`)
      if (result.problem !== null) {
        throw new CommandFailure('failed', 'model_not_configured', `${result.model}: ${plainText(result.problem)}`)
      }
    })
}

function addDelete(key: Command, context: CommandContext): void {
  key
    .command('delete')
    .addArgument(providerArgument())
    .description('delete the stored key of a provider')
    .option('--json', 'print one JSON object')
    .action(async (provider: string, { json }: Json) => {
      await withApi(context, (api) => api.send('DELETE', pathOf(provider)))
      context.output.print(json ? JSON.stringify({ provider, deleted: true }) : `Deleted the key of ${provider}.`)
    })
}

function providerArgument(): Argument {
  return new Argument('<provider>', 'whose key').choices(['anthropic', 'openai', 'google', 'compatible'])
}

function pathOf(provider: string): string {
  return `/v1/model-keys/${encodeURIComponent(provider)}`
}

async function readKey(file: string, context: CommandContext): Promise<string> {
  const key = (await readSecret(file, 'key', context)).trim()
  if (key === '') throw usage('The key is empty.')
  return key
}

function describeStored({ provider, hint, source }: ModelKey): string {
  const stored = `Stored the key of ${provider}${hint === null ? '' : ` (…${plainText(hint)})`}.`
  if (source === 'stored') return `${stored} Runs use it from now on. Check it with: docent model key check ${provider}`
  return `${stored} Runs do not use it: the environment of the service has a key or an address of ${provider}.`
}

function toModelRow({ id, contextTokens, prices, isDefault }: UsableModel): readonly string[] {
  const price: ModelPrice | undefined = prices[0]
  const more = prices.length > 1 ? 'more for larger requests' : ''
  return [
    plainText(id),
    contextTokens?.toLocaleString('en-US') ?? '-',
    String(price?.input ?? '-'),
    String(price?.cachedInput ?? '-'),
    String(price?.output ?? '-'),
    [isDefault ? 'default' : '', more].filter((one) => one !== '').join(', '),
  ]
}

function toKeyRow({ provider, source, isStored, hint, baseUrl, checkedAt, problem }: ModelKey): readonly string[] {
  const stored = isStored ? `…${plainText(hint ?? '')}` : '-'
  return [provider, source, stored, plainText(baseUrl ?? '-'), checkedAt ?? '-', plainText(problem ?? '-')]
}
