// A service with projects whose repositories are on loopback forges, connected over the API as a user does it.

import { openSocketApi } from '../../../src/cli/api/api.ts'
import { parseConfig } from '../../../src/config/config.ts'
import type { Cleanup } from '../git-remote.ts'
import { type ScriptedService, startScriptedService } from '../scripted.ts'
import { createClient, type Client, type TestService } from '../service.ts'
import { type ForgeOptions, startForge, type TestForge } from './forge.ts'

/** Closing it closes the forges too. */
export type ForgeService<Name extends string> = ScriptedService & { readonly forges: ReadonlyMap<Name, TestForge> }

/** Starts a forge for each name, and one service that accepts their hosts: it must know them when it starts. */
export async function startWithForges<Name extends string>(
  wanted: readonly (readonly [Name, ForgeOptions])[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ForgeService<Name>> {
  const closing: Parameters<Cleanup['after']>[0][] = []
  const forges = new Map<Name, TestForge>()
  for (const [name, options] of wanted) {
    forges.set(name, await startForge({ after: (close) => void closing.push(close) }, options))
  }
  const hosts = [...forges.values()].map(({ host }) => host).join()
  const service = await startScriptedService({}, { ...environment, DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
  const close = async () => {
    await service.close()
    for (const closeForge of closing) await (closeForge as () => unknown)()
  }
  return { ...service, forges, close }
}

export type Connected = {
  readonly client: Client
  /** A request of the operator, below `/v1/projects/{projectId}`; JSON in, JSON out. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** Bitbucket Cloud and Azure DevOps: another address has to be named. */
export function isAtOneAddress({ kind }: Pick<TestForge, 'kind'>): boolean {
  return kind === 'bitbucket' || kind === 'azure'
}

/** `isApp`: GitHub, connected with an App and not with a token. The service must accept the host of the forge. */
export async function connectForge(
  { running: { environment, addresses } }: { readonly running: Pick<TestService, 'addresses' | 'environment'> },
  forge: TestForge,
  { isApp = false } = {},
): Promise<Connected> {
  const client = await createClient(environment, addresses, forge.repository)
  const operator = openSocketApi(parseConfig(environment))
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    JSON.parse((await operator.send(method, path, body)).body)
  const send = (method: string, path: string, body?: unknown) =>
    ask(method, `/v1/projects/${client.projectId}${path}`, body)
  if (isApp) {
    const app = forge.createApp()
    await ask('PUT', '/v1/forge-apps', { webUrl: forge.web, appId: app.id, privateKey: app.privateKey })
    await send('PUT', '/credential', { installationId: app.installationId })
  } else {
    const apiUrl = isAtOneAddress(forge) ? { apiUrl: forge.api } : {}
    await send('PUT', '/credential', { forge: forge.kind, token: forge.createToken().value, ...apiUrl })
  }
  return { client, send }
}
