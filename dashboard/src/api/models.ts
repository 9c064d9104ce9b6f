// Models, and the keys of their providers.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { Project } from './projects.ts'
import { queries } from './queries.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Model = components['schemas']['Model']
export type ModelKey = components['schemas']['ModelKey']
export type ModelKeyCheck = components['schemas']['ModelKeyCheck']
export type Provider = ModelKey['provider']

export const builtIn = 'docent/rules'

/** An exhaustive record: a new provider is a type error here. */
export const providerNames: Readonly<Record<Provider, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  compatible: 'OpenAI-compatible server',
}

export const providers = Object.keys(providerNames) as readonly Provider[]

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/models', { signal }))).models,
})

export const modelKeysQuery = queryOptions({
  queryKey: ['model-keys'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/model-keys', { signal }))).modelKeys,
})

type NewModelKey = { readonly apiKey: string | null; readonly baseUrl: string | null }

export async function putModelKey(provider: Provider, body: NewModelKey): Promise<ModelKey> {
  const key = await ask((api) => api.PUT('/v1/model-keys/{provider}', { params: { path: { provider } }, body }))
  await refresh()
  return key
}

export async function deleteModelKey(provider: Provider): Promise<void> {
  await ask((api) => api.DELETE('/v1/model-keys/{provider}', { params: { path: { provider } } }))
  await refresh()
}

/** Requests one token. `model` undefined: the cheapest that is known. */
export async function checkModelKey(provider: Provider, model: string | undefined): Promise<ModelKeyCheck> {
  const params = { path: { provider }, query: model === undefined ? {} : { model } }
  const found = await ask((api) => api.POST('/v1/model-keys/{provider}/check', { params }))
  await refresh()
  return found
}

async function refresh(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: modelsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: modelKeysQuery.queryKey }),
  ])
}

export type ModelChoice = { readonly value: string; readonly label: string }

/** The first choice names no model; `usual` says which one that is. `serviceModel`: that of projects without one. */
export function modelChoices({ model, models }: Project, usual: string, serviceModel?: string): readonly ModelChoice[] {
  const own = model ?? serviceModel
  const named = [...new Set([...(own === undefined ? [] : [own]), ...models])]
  return [{ value: '', label: usual }, ...named.map((one) => ({ value: one, label: one }))]
}
