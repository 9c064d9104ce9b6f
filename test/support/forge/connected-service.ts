// The service with a project whose repository is on a loopback forge, connected as a user does it: over the API.

import { openSocketApi } from '../../../src/cli/api/api.ts'
import { parseConfig } from '../../../src/config/config.ts'
import type { Environment } from '../../../src/config/environment.ts'
import type { Files } from '../git-objects.ts'
import type { Cleanup } from '../git-remote.ts'
import { startScriptedService, type ScriptedService } from '../scripted.ts'
import { createClient, type Client } from '../service.ts'
import { startForge, type TestForge } from './forge.ts'
import type { Kind, Switches } from './world.ts'

export type ConnectedService = {
  readonly forge: TestForge
  readonly service: ScriptedService
  readonly client: Client
  /** A request of the operator, below `/v1/projects/{projectId}`; JSON in, JSON out. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<unknown>
}

export type ConnectedOptions = {
  readonly kind: Kind
  /** GitHub: connect with an App and not with a token. */
  readonly isApp?: boolean
  readonly files?: Files
  readonly switches?: Partial<Switches>
  readonly settings?: Environment
}

export async function startConnectedService(t: Cleanup, options: ConnectedOptions): Promise<ConnectedService> {
  const { kind, files = { 'docs/a.md': '# A\n\nOne.\n' }, switches = {} } = options
  const forge = await startForge(t, { kind, files, switches: { isPrivate: true, ...switches } })
  const more = { DOCENT_PRIVATE_REPOSITORY_HOSTS: forge.host, ...options.settings }
  const service = await startScriptedService({}, more)
  t.after(() => service.close())
  const { environment, addresses } = service.running
  const client = await createClient(environment, addresses, forge.repository)
  const operator = openSocketApi(parseConfig(environment))
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    JSON.parse((await operator.send(method, path, body)).body)
  const send = (method: string, path: string, body?: unknown) =>
    ask(method, `/v1/projects/${client.projectId}${path}`, body)
  if (options.isApp) {
    const app = forge.createApp()
    await ask('PUT', '/v1/forge-apps', { webUrl: forge.web, appId: app.id, privateKey: app.privateKey })
    await send('PUT', '/credential', { installationId: app.installationId })
  } else {
    await send('PUT', '/credential', { forge: kind, token: forge.createToken().value })
  }
  return { forge, service, client, send }
}
