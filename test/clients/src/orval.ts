// The calls with the fetch client that orval generates.

import { createJob, getJob, getJobDiffFiles, getVisitors, listEvents, sendMessage } from '../generated/orval'
import { type Calls, noJob, type Service } from './calls'

export function connect({ key, projectId }: Service): Calls {
  const options = { headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' } }
  return {
    create: async (prompt) => {
      const response = await createJob(projectId, { prompt }, options)
      if (response.status !== 201) throw new Error(response.data.detail)
      return response.data.id
    },
    get: async (id) => {
      const response = await getJob(projectId, id, options)
      if (response.status !== 200) throw new Error(String(response.status))
      return response.data
    },
    message: async (id, prompt) => {
      const response = await sendMessage(projectId, id, { prompt }, options)
      if (response.status !== 200) throw new Error(response.data.detail)
      return response.data.status
    },
    events: async (id) => {
      const response = await listEvents(projectId, id, {}, options)
      if (response.status !== 200) throw new Error(response.data.detail)
      return response.data.events.map(({ type }) => type)
    },
    files: async (id) => {
      const response = await getJobDiffFiles(projectId, id, options)
      if (response.status !== 200) throw new Error(response.data.detail)
      return response.data.files.map(({ path }) => path)
    },
    visitors: async () => {
      const response = await getVisitors(projectId, { limit: 10 }, options)
      if (response.status !== 200) throw new Error(String(response.status))
      return response.data.totals.total
    },
    missing: async () => {
      const response = await getJob(projectId, noJob, options)
      return response.status === 404 ? response.data.code : 'none'
    },
  }
}
