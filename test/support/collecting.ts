// A service that collects page views, and the two kinds of clients that report them: a page in a browser, and a server.

import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { startService } from './service.ts'

export const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
export const origin = 'https://docs.example.com'

export type Place = { readonly projectId: string; readonly siteId: string }

export type Sent = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

type Visitors = {
  readonly totals: object
  readonly visitors: readonly { readonly path: string; readonly total: number }[]
}
type Views = {
  readonly totals: { readonly total: number }
  readonly views: readonly { readonly path: string; readonly total: number }[]
}

type Answer = {
  readonly accepted?: number
  readonly rejected?: readonly { readonly index: number; readonly reason: string }[]
  readonly code?: string
}

export type Collecting = Awaited<ReturnType<typeof startCollecting>>

export async function startCollecting(settings: Readonly<Record<string, string>> = {}) {
  const service = await startService({ 'index.md': '# Home\n' }, settings)
  const api = openSocketApi(parseConfig(service.environment))
  const [address] = service.addresses
  const asAdmin = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    JSON.parse((await api.send(method, path, body)).body) as T
  const analytics = ({ projectId }: Place) => `/v1/analytics/${projectId}`
  return {
    address,
    service,
    asOperator: (method: string, path: string, body?: unknown) => api.send(method, path, body),
    asAdmin,
    /** Creates a new project, so a test counts only its own page views. */
    makePlace: async (site: object = {}, settings: object = {}): Promise<Place> => {
      const project = { name: 'Counted', repository: service.repository, ...settings }
      const { id: projectId } = await asAdmin<{ id: string }>('POST', '/v1/projects', project)
      const body = { name: 'docs', origins: [origin], ...site }
      const { id: siteId } = await asAdmin<{ id: string }>('POST', `/v1/projects/${projectId}/sites`, body)
      return { projectId, siteId }
    },
    /** Reports a page view as the script in a page does. */
    report: ({ siteId }: Place, { body, headers = {}, address: from = '192.0.2.1' }: Sent = {}): Promise<Response> =>
      fetch(`${address}/v1/collect/${siteId}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body ?? { url: `${origin}/a` }),
        headers: {
          'Content-Type': 'text/plain',
          Origin: origin,
          'User-Agent': chrome,
          'X-Forwarded-For': from,
          ...headers,
        },
      }),
    visitors: (place: Place) => asAdmin<Visitors>('GET', `${analytics(place)}/visitors`),
    brokenPages: (place: Place) =>
      asAdmin<{ readonly brokenPages: readonly object[] }>('GET', `${analytics(place)}/broken-pages`),
    views: (place: Place) => asAdmin<Views>('GET', `${analytics(place)}/views`),
    /** Reports page views as a server with a key of the project does. `query` begins with a question mark. */
    record: async (place: Place, items: unknown, headers: Readonly<Record<string, string>> = {}, query = '') => {
      const wanted = { name: 'recorder', scope: 'write', projectIds: [place.projectId] }
      const { key } = await asAdmin<{ key: string }>('POST', '/v1/keys', wanted)
      const body = typeof items === 'string' || items instanceof Uint8Array ? items : JSON.stringify(items)
      const answer = await fetch(`${address}${analytics(place)}/page-views${query}`, {
        method: 'POST',
        body: body as string,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      })
      return { status: answer.status, body: (await answer.json()) as Answer }
    },
    close: async () => {
      await service.close()
    },
  }
}

export const view = (change: object = {}) => ({
  timestamp: Date.now(),
  url: `${origin}/a`,
  userAgent: chrome,
  address: '192.0.2.1',
  ...change,
})
