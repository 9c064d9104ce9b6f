// Detects which forge runs on a host, from addresses that need no login. Does not send the credential, because the host is
// still unknown.

import { createForgeClient, type ForgeClientOptions, type Reply } from '../../forge/client.ts'
import type { ForgeKind } from '../../forge/host.ts'
import { knownForge } from '../../forge/links/known-forge.ts'

type Network = Pick<ForgeClientOptions, 'privateHosts' | 'resolve'>

const deadlineMs = 10_000

/** Bitbucket Cloud runs on one host, which everybody knows. */
const ownForges = ['github', 'gitlab', 'gitea'] as const
type OwnForge = (typeof ownForges)[number]

const questions: Readonly<Record<OwnForge, string>> = {
  github: '/api/v3/meta',
  gitlab: '/api/v4/version',
  gitea: '/api/v1/version',
}

/** `unknown`: the host runs no forge that Docent knows, or hides it. `silent`: it does not respond. */
export type Detected =
  | { readonly kind: 'forge'; readonly forge: ForgeKind }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'silent'; readonly reason: string }

/** Throws `forge_refused` when the service may not connect to the host. */
export async function detectForge(network: Network, origin: string, signal: AbortSignal): Promise<Detected> {
  const known = knownForge(origin)
  if (known) return { kind: 'forge', forge: known }
  const client = createForgeClient({ ...network, apiUrl: origin, limits: { deadlineMs, maxBytes: 1_000_000 } })
  const replies = await Promise.all(
    ownForges.map(async (forge) => ({
      forge,
      reply: await client.ask({ method: 'GET', path: questions[forge] }, signal),
    })),
  )
  const found = replies.find(({ forge, reply }) => isForge[forge](reply))
  if (found) return { kind: 'forge', forge: found.forge }
  const silent = replies.flatMap(({ reply }) => (reply.kind === 'unavailable' ? reply.reason : []))
  const [reason] = silent
  return reason === undefined || silent.length < replies.length ? { kind: 'unknown' } : { kind: 'silent', reason }
}

const isForge: Readonly<Record<OwnForge, (reply: Reply) => boolean>> = {
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
