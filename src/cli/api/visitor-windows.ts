// The windows of visitors of a project over the API: which there are, and counting one again from its page views.

import type { RebuildResult } from '../../analytics/counts/uniques/rebuild.ts'
import type { Api } from './api.ts'

export type VisitorWindow = { readonly name: string; readonly pageViews: number }

export async function readWindows(api: Pick<Api, 'send'>, projectId: string): Promise<readonly VisitorWindow[]> {
  const { body } = await api.send('GET', pathOf(projectId))
  return (JSON.parse(body) as { readonly visitorWindows: readonly VisitorWindow[] }).visitorWindows
}

export async function rebuildWindow(api: Pick<Api, 'send'>, projectId: string, name: string): Promise<RebuildResult> {
  const { body } = await api.send('POST', `${pathOf(projectId)}/rebuild`, { name })
  return (JSON.parse(body) as { readonly result: RebuildResult }).result
}

function pathOf(projectId: string): string {
  return `/v1/analytics/${projectId}/visitor-windows`
}
