// Imports of access logs: the operations that the thread which reads a log asks for.

import { prefix } from '../base.ts'
import { ask } from './client.ts'
import { Problem } from './problem.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type AutomatedDay = components['schemas']['AutomatedDay']

type NewLog = {
  readonly name: string
  readonly fingerprint: string
  readonly format: string
  readonly host: string | null
  readonly group?: string
}

export const openImport = (projectId: string, body: NewLog) =>
  ask((api) => api.POST('/v1/analytics/{projectId}/imports', { params: { path: { projectId } }, body }))

type Finished = { readonly importId: string; readonly automated: readonly AutomatedDay[] }

export const finishImport = (projectId: string, { importId, automated }: Finished) =>
  ask((api) =>
    api.POST('/v1/analytics/{projectId}/imports/{importId}/finish', {
      params: { path: { projectId, importId } },
      body: { automated: [...automated] },
    }),
  )

type Batch = { readonly importId: string; readonly position: number; readonly columns: string }

/** Sends page views as columns. Throws a `Problem`. */
export async function sendPageViews(projectId: string, { importId, position, columns }: Batch): Promise<unknown> {
  const query = new URLSearchParams({ import: importId, position: String(position) }).toString()
  const headers = { 'Content-Type': 'application/vnd.docent.page-views+json' }
  const request = { method: 'POST', headers, body: columns }
  const address = `${prefix}v1/analytics/${projectId}/page-views?${query}`
  const response = await fetch(address, request).catch((error: unknown) => {
    throw Problem.unreachable(error)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw Problem.from(response, body)
  return body
}
