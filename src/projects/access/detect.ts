// Detects which forge runs on a host, from addresses that need no login. Does not send the credential, because the host is
// still unknown.

import { createForgeClient, type ForgeClientOptions, type Reply } from '../../forge/client.ts'
import { type ForgeKind, forgeKinds } from '../../forge/host.ts'
import { knownForge } from '../places.ts'

type Network = Pick<ForgeClientOptions, 'privateHosts' | 'resolve'>

const deadlineMs = 10_000

const questions: Readonly<Record<ForgeKind, string>> = {
  github: '/api/v3/meta',
  gitlab: '/api/v4/version',
  gitea: '/api/v1/version',
}

/** Returns undefined if the forge is not recognised. Throws `forge_refused` when the service may not connect to the host. */
export async function detectForge(
  network: Network,
  origin: string,
  signal: AbortSignal,
): Promise<ForgeKind | undefined> {
  const known = knownForge(origin)
  if (known) return known
  const client = createForgeClient({ ...network, apiUrl: origin, limits: { deadlineMs, maxBytes: 1_000_000 } })
  const found = await Promise.all(
    forgeKinds.map(async (forge) => {
      const reply = await client.ask({ method: 'GET', path: questions[forge] }, signal)
      return isForge[forge](reply) ? [forge] : []
    }),
  )
  return found.flat()[0]
}

const isForge: Readonly<Record<ForgeKind, (reply: Reply) => boolean>> = {
  github: (reply) => reply.kind === 'response' && reply.headers['x-github-enterprise-version'] !== undefined,
  // Without a login, the host responds with a message of its own.
  gitlab: (reply) => textOf(reply, 'message') === '401 Unauthorized' || textOf(reply, 'revision') !== undefined,
  gitea: (reply) => reply.kind === 'response' && reply.status === 200 && textOf(reply, 'version') !== undefined,
}

function textOf(reply: Reply, name: string): string | undefined {
  if (reply.kind !== 'response' || typeof reply.body !== 'object' || reply.body === null) return undefined
  const value: unknown = Reflect.get(reply.body, name)
  return typeof value === 'string' ? value : undefined
}
