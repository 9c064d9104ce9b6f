// Stores, lists and deletes keys of model providers. A key is encrypted and never shown again, except for its last four
// characters. Changing the address requires entering the key again, so nobody can send a key they do not know elsewhere.

import { type ModelProvider, modelProviders } from '../agent/model/model-id.ts'
import { Failure, invalidInput } from '../lib/failure.ts'
import type { ModelKeyRow } from '../postgres/schema/secrets.ts'
import { addressProblem } from './address.ts'
import { isUsed, type ModelsContext, ownerOf, purpose, readKey } from './settings.ts'

export type ModelKey = {
  readonly provider: ModelProvider
  /** The key that runs use. A key in the environment takes precedence. */
  readonly source: 'environment' | 'stored'
  readonly isStored: boolean
  /** The last four characters of the stored key; null if there is no key, or if it is too short to show a part. */
  readonly hint: string | null
  readonly baseUrl: string | null
  /** Why the key cannot be used, if that is known. */
  readonly problem: string | null
  readonly checkedAt: string | null
  readonly updatedAt: string | null
}

/** `apiKey` is null for a `compatible` server that requires no key. */
export type NewModelKey = { readonly apiKey: string | null; readonly baseUrl: string | null }

/** Returns one entry for each provider that has a key or an address, in the environment or in the database. */
export async function listModelKeys(context: ModelsContext): Promise<readonly ModelKey[]> {
  const rows = await context.db.selectFrom('model_keys').selectAll().execute()
  return modelProviders.flatMap((provider) => {
    const row = rows.find((one) => one.provider === provider)
    const { apiKey, baseUrl } = context.settings[provider]
    const isSet = apiKey !== undefined || (provider === 'compatible' && baseUrl !== undefined)
    return row || isSet ? [toModelKey(context, provider, row)] : []
  })
}

/** Replaces the stored key of the provider. Throws `invalid_input`. */
export async function putModelKey(
  context: ModelsContext,
  provider: ModelProvider,
  { apiKey, baseUrl }: NewModelKey,
): Promise<ModelKey> {
  const address = baseUrl?.replace(/\/+$/, '') ?? null
  await refuseInvalid(context, provider, { apiKey, baseUrl: address })
  const text = apiKey ?? ''
  const columns = {
    secret: context.secrets.encrypt(ownerOf(provider), purpose, text),
    base_url: address,
    hint: text.length < 12 ? '' : text.slice(-4),
    updated_at: context.clock.now(),
    checked_at: null,
    check_error: null,
  }
  const row = await context.db
    .insertInto('model_keys')
    .values({ provider, ...columns, created_at: columns.updated_at })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toModelKey(context, provider, row)
}

/** Throws `not_found` when no key of the provider is stored. */
export async function deleteModelKey({ db }: ModelsContext, provider: ModelProvider): Promise<void> {
  const query = db.deleteFrom('model_keys').where('provider', '=', provider).returning('provider')
  if (!(await query.executeTakeFirst())) throw new Failure('not_found', `No key of ${provider} is stored.`)
}

async function refuseInvalid(context: ModelsContext, provider: ModelProvider, { apiKey, baseUrl }: NewModelKey) {
  if (apiKey === null && provider !== 'compatible') throw invalidInput('#/apiKey', `is required for ${provider}`)
  if (baseUrl === null) {
    const isKnown = provider !== 'compatible' || context.settings.compatible.baseUrl !== undefined
    if (!isKnown) throw invalidInput('#/baseUrl', 'is required for compatible')
    return
  }
  const problem = await addressProblem(baseUrl, context)
  if (problem !== null) throw invalidInput('#/baseUrl', problem.words)
}

function toModelKey(context: ModelsContext, provider: ModelProvider, row: ModelKeyRow | undefined): ModelKey {
  const source = row && isUsed(context, row) ? 'stored' : 'environment'
  const { baseUrl } = context.settings[provider]
  return {
    provider,
    source,
    isStored: row !== undefined,
    hint: row?.hint || null,
    baseUrl: baseUrl ?? (source === 'stored' ? (row?.base_url ?? null) : null),
    problem: row === undefined ? null : problemOf(context, row),
    checkedAt: row?.checked_at?.toISOString() ?? null,
    updatedAt: row?.updated_at.toISOString() ?? null,
  }
}

function problemOf({ secrets }: ModelsContext, row: ModelKeyRow): string | null {
  if (readKey(secrets, row) !== undefined) return row.check_error
  const address = row.base_url === null ? '' : ` --base-url ${row.base_url}`
  const command = `docent model key set ${row.provider}${address} --key-file -`
  return `The stored key cannot be decrypted with the key of this service. Enter it again: ${command}`
}
