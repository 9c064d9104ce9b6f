// Gives an import the operations of the service that it needs, over the API.

import { columnsType } from '../../../analytics/import/columns/columns.ts'
import type { ImportPort, SendResponse } from '../../../analytics/import/port.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Api, ApiResponse } from '../../api/api.ts'

type Begun = Awaited<ReturnType<ImportPort['begin']>> & { readonly group: string }

/** A visitor in several logs that are imported through one port counts once. */
export function createImportPort(api: Api, projectId: string): ImportPort {
  const base = `/v1/analytics/${encodeURIComponent(projectId)}`
  const first: { group?: string } = {}
  return {
    begin: async (log) => {
      const response = await reach(api.send('POST', `${base}/imports`, { ...log, ...first }))
      const begun = JSON.parse(response.body) as Begun
      first.group ??= begun.group
      return begun
    },
    send: async (importId, position, columns) => {
      const query = new URLSearchParams({ import: importId, position: String(position) })
      const path = `${base}/page-views?${query.toString()}`
      return JSON.parse((await reach(api.sendText(path, columnsType, columns))).body) as SendResponse
    },
    finish: async (importId, automated) => {
      await reach(api.send('POST', `${base}/imports/${encodeURIComponent(importId)}/finish`, { automated }))
    },
  }
}

/** Takes everything, and stores nothing. */
export function createDryPort(host: string | null): ImportPort {
  const lines = { host, needsHost: false, idScope: '', olderDays: null, timeZone: 'UTC' }
  return {
    begin: async () => Promise.resolve({ id: '', position: 0, lines }),
    send: async () => Promise.resolve({ accepted: 0, rejected: [] }),
    finish: async () => Promise.resolve(),
  }
}

/** Reports a broken connection as `unavailable`. */
async function reach(asked: Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await asked
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('unavailable', 'The connection to the service was lost.', { cause })
  }
}
