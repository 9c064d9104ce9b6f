// The calls with the client that @hey-api/openapi-ts generates. It can stream events.

import { createClient, createConfig } from '../generated/hey-api/client'
import {
  createJob,
  getJob,
  getJobDiffFiles,
  getVisitors,
  sendMessage,
  streamEvents,
} from '../generated/hey-api/sdk.gen'
import { type Calls, noJob, type Service } from './calls'

export function connect({ baseUrl, key, projectId }: Service): Calls {
  const client = createClient(createConfig({ baseUrl, auth: key }))
  const at = (id: string) => ({ client, path: { projectId, id } })
  return {
    create: async (prompt) => {
      const { data } = await createJob({ client, path: { projectId }, body: { prompt }, throwOnError: true })
      return data.id
    },
    get: async (id) => (await getJob({ ...at(id), throwOnError: true })).data,
    message: async (id, prompt) => {
      const { data } = await sendMessage({ ...at(id), body: { prompt }, throwOnError: true })
      return data.status
    },
    events: async (id) => {
      const types: string[] = []
      const { stream } = await streamEvents({ ...at(id), sseMaxRetryAttempts: 1 })
      for await (const event of stream) if (event && 'type' in event) types.push(event.type)
      return types
    },
    files: async (id) => {
      const { data } = await getJobDiffFiles({ ...at(id), throwOnError: true })
      return data.files.map(({ path }) => path)
    },
    visitors: async () => {
      const { data } = await getVisitors({ client, path: { projectId }, query: { limit: 10 }, throwOnError: true })
      return data.totals.total
    },
    missing: async () => {
      const { error } = await getJob(at(noJob))
      return error && typeof error === 'object' ? error.code : 'none'
    },
  }
}
