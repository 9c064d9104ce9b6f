// A client of a forge whose responses a test lists by method and path.

import { createForgeClient, type ForgeClient } from '../../src/forge/client.ts'
import type { Cleanup } from './git-remote.ts'
import { type HttpAnswer, type HttpRequest, serveHttp } from './scripted-http.ts'

/** Responses by method and path without the query, such as `GET /user`. A list is used in order, then its last repeats. */
export type Routes = Readonly<Record<string, HttpAnswer | readonly HttpAnswer[]>>

export type ScriptedForge = {
  readonly client: ForgeClient
  readonly webUrl: string
  /** The requests, including queries, such as `GET /projects/a%2Fb/merge_requests?page=1`. */
  readonly asked: () => readonly string[]
  readonly requests: readonly HttpRequest[]
}

export async function scriptedForge(t: Cleanup, routes: Routes): Promise<ScriptedForge> {
  const counts = new Map<string, number>()
  const server = await serveHttp(t, ({ method, url }) => {
    const route = `${method} ${url.replace(/\?.*/, '')}`
    const given = routes[route] ?? { status: 599, body: { message: `${route} is not scripted` } }
    if (!Array.isArray(given)) return given as HttpAnswer
    const answers = given as readonly HttpAnswer[]
    const count = counts.get(route) ?? 0
    counts.set(route, count + 1)
    return answers[Math.min(count, answers.length - 1)] ?? { status: 599 }
  })
  const token = () => Promise.resolve('secret-token-of-the-test')
  const client = createForgeClient({
    apiUrl: server.url,
    authorization: { scheme: 'Bearer', token },
    privateHosts: [server.host],
  })
  const asked = () => server.requests.map(({ method, url }) => `${method} ${url}`)
  return { client, webUrl: server.url, asked, requests: server.requests }
}
