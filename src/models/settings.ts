// Decides which keys and addresses of model providers a run uses: those from the environment, otherwise the stored ones.
// Reads them for each run, so a stored or deleted key takes effect immediately on every server.

import type { Model } from '../agent/model/types.ts'
import {
  modelProblem,
  type ModelProvider,
  type ModelSettings,
  parseModelId,
  type ProviderSettings,
} from '../agent/model/model-id.ts'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Resolve } from '../lib/outbound/resolve.ts'
import type { ModelKeyRow } from '../postgres/schema/secrets.ts'
import type { Db } from '../postgres/types.ts'
import { type Secrets, SecretUnreadable } from '../secrets/secrets.ts'
import { addressProblem } from './address.ts'

export type ModelsContext = {
  readonly db: Db
  readonly secrets: Secrets
  /** The settings from the environment, which take precedence over stored keys. */
  readonly settings: ModelSettings
  /** The model of projects without one of their own. */
  readonly modelId: string
  /** Hosts of stored base addresses that may be private or plain http. */
  readonly privateHosts: readonly string[]
  readonly clock: Clock
  /** Throws `model_not_configured`. */
  readonly openModel: (id: string, settings: ModelSettings) => Promise<Model>
  /** Default: the operating system. */
  readonly resolve?: Resolve
}

export const purpose = 'model key'
/** The owner of an encrypted key includes its provider, so moving a row cannot send the key to another provider. */
export const ownerOf = (provider: ModelProvider) => `service/${provider}`

/** Returns the settings from the environment, completed with the stored keys that can be decrypted. */
export async function resolveSettings(context: Sources): Promise<ModelSettings> {
  return (await resolve(context)).settings
}

/** Opens the model for a run or a check. Throws `model_not_configured`, which says what is missing. */
export async function openConfigured(context: ModelsContext, id: string): Promise<Model> {
  const resolved = await resolve(context)
  const problem = explain(resolved, id) ?? (await storedAddressProblem(context, resolved.settings, id))
  if (problem !== null) throw new Failure('model_not_configured', `The model ${id} cannot be used: it ${problem}.`)
  return context.openModel(id, resolved.settings)
}

/** Explains why the service cannot use the model; null when it can. */
export async function explainModel(context: Sources, id: string): Promise<string | null> {
  return explain(await resolve(context), id)
}

type Sources = Pick<ModelsContext, 'db' | 'secrets' | 'settings'>
type Resolved = { readonly settings: ModelSettings; readonly unreadable: readonly ModelProvider[] }

async function resolve(context: Sources): Promise<Resolved> {
  const rows = await context.db.selectFrom('model_keys').selectAll().execute()
  const used = rows.filter((row) => isUsed(context, row)).map((row) => ({ row, key: readKey(context.secrets, row) }))
  const stored = used.flatMap(({ row, key }) =>
    key === undefined ? [] : [[row.provider, complete(context.settings[row.provider], row, key)] as const],
  )
  const settings: ModelSettings = { ...context.settings, ...Object.fromEntries(stored) }
  return { settings, unreadable: used.filter(({ key }) => key === undefined).map(({ row }) => row.provider) }
}

function explain({ settings, unreadable }: Resolved, id: string): string | null {
  const problem = modelProblem(id, settings)
  const provider = parseModelId(id)?.provider
  if (problem === null || provider === undefined || !unreadable.includes(provider)) return problem
  return `needs its key again: the key of this service cannot decrypt the stored one (\`docent model key set ${provider}\`)`
}

async function storedAddressProblem(
  context: ModelsContext,
  settings: ModelSettings,
  id: string,
): Promise<string | null> {
  const provider = parseModelId(id)?.provider
  if (provider === undefined) return null
  const { baseUrl } = settings[provider]
  if (baseUrl === undefined || baseUrl === context.settings[provider].baseUrl) return null
  const problem = await addressProblem(baseUrl, context)
  // A name that is not resolved now fails the request as well, which is then tried again.
  return problem === null || problem.isTemporary ? null : `has a stored address that ${problem.words}`
}

/** Whether runs use the stored key. They do not if the environment has a key, or a different address. */
export function isUsed({ settings }: Pick<ModelsContext, 'settings'>, row: ModelKeyRow): boolean {
  const { apiKey, baseUrl } = settings[row.provider]
  const isElsewhere = baseUrl !== undefined && row.base_url !== null && row.base_url !== baseUrl
  return apiKey === undefined && !isElsewhere
}

/** The stored key; undefined if no key of the service decrypts it. */
export function readKey(secrets: Secrets, row: ModelKeyRow): string | undefined {
  try {
    return secrets.decrypt(ownerOf(row.provider), purpose, row.secret)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** Whether the provider is configured. */
export function isConfigured(settings: ModelSettings, provider: ModelProvider): boolean {
  return modelProblem(`${provider}/x`, settings) === null
}

function complete(ofEnvironment: ProviderSettings, row: ModelKeyRow, key: string): ProviderSettings {
  // A server without keys is stored with an empty one.
  const apiKey = key === '' ? undefined : key
  return { apiKey, baseUrl: ofEnvironment.baseUrl ?? row.base_url ?? undefined }
}
