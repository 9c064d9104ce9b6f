// The calls with types by openapi-typescript and the client openapi-fetch.

import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript'
import { type Calls, noJob, type Service } from './calls'

export function connect({ baseUrl, key, projectId }: Service): Calls {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  const at = (id: string) => ({ params: { path: { projectId, id } } })
  return {
    create: async (prompt) => {
      const path = { projectId }
      const { data, error } = await client.POST('/v2/agent/{projectId}/job', { params: { path }, body: { prompt } })
      if (!data) throw new Error(error.detail)
      return data.id
    },
    get: async (id) => {
      const { data, error } = await client.GET('/v2/agent/{projectId}/job/{id}', at(id))
      if (!data) throw new Error(error?.detail)
      return data
    },
    message: async (id, prompt) => {
      const { data, error } = await client.POST('/v2/agent/{projectId}/job/{id}/message', {
        ...at(id),
        body: { prompt },
      })
      if (!data) throw new Error(error.detail)
      return data.status
    },
    events: async (id) => {
      const { data, error } = await client.GET('/v2/agent/{projectId}/job/{id}/events.json', at(id))
      if (!data) throw new Error(error.detail)
      return data.events.map(({ type }) => type)
    },
    files: async (id) => {
      const { data, error } = await client.GET('/v2/agent/{projectId}/job/{id}/diff.json', at(id))
      if (!data) throw new Error(error.detail)
      return data.files.map(({ path }) => path)
    },
    visitors: async () => {
      const params = { path: { projectId }, query: { limit: 10 } }
      const { data, error } = await client.GET('/v1/analytics/{projectId}/visitors', { params })
      if (!data) throw new Error(error?.detail)
      return data.totals.total
    },
    missing: async () => {
      const { error } = await client.GET('/v2/agent/{projectId}/job/{id}', at(noJob))
      return error?.code ?? 'none'
    },
  }
}
