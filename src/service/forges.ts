// Connects projects and sources with the forges of their repositories: one HTTP client for all, the GitHub Apps of this service, and
// an adapter for each kind of forge.

import type { Config } from '../config/config.ts'
import { type Authorization, createForgeClient, type ForgeClient } from '../forge/client.ts'
import { createAppTokens, tokenRepeats } from '../forge/github/app-token.ts'
import { gitHubHeaders } from '../forge/github/github.ts'
import { azureOptions, organizationOf } from '../forge/azure/azure.ts'
import { createBudget } from '../forge/azure/budget.ts'
import { createAzureHost } from '../forge/azure/host.ts'
import { createBitbucketHost } from '../forge/bitbucket/host.ts'
import { createWrittenTexts } from '../forge/bitbucket/written.ts'
import { createGitHubHost } from '../forge/github/host.ts'
import { createGiteaHost } from '../forge/gitea/host.ts'
import { createGitLabHost } from '../forge/gitlab/host.ts'
import type { ForgeHost, ForgeKind } from '../forge/host.ts'
import type { Clock } from '../lib/clock.ts'
import type { Db } from '../postgres/types.ts'
import { type Connections, type ConnectionsContext, createConnections } from '../projects/connections.ts'
import { openAppOfHost } from '../projects/forge-apps/forge-apps.ts'
import type { Redactor } from '../lib/outbound/redactor.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { TimeGuard } from '../time-guard/time-guard.ts'

type Deps = {
  readonly config: Pick<Config, 'repositories'>
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Clock
  readonly report?: TimeGuard['reportDate']
  /** Gets every token that a host mints. */
  readonly learn?: Redactor['learn']
}

export type Forges = {
  readonly connections: Connections
  /** A client of GitHub's API. */
  readonly openGitHub: (apiUrl: string, authorization: Authorization | undefined) => ForgeClient
}

const schemes: Readonly<Record<ForgeKind, Authorization['scheme']>> = {
  github: 'Bearer',
  gitlab: 'Bearer',
  gitea: 'token',
  bitbucket: 'Bearer',
  azure: 'Basic',
}

/** Opens nothing that must be closed. */
export function openForges({ config, db, secrets, clock, report, learn }: Deps): Forges {
  const { privateHosts } = config.repositories
  const openClient = (forge: ForgeKind, apiUrl: string, authorization: Authorization | undefined) =>
    createForgeClient({
      apiUrl,
      authorization,
      privateHosts,
      report,
      ...(forge === 'github' ? { headers: gitHubHeaders } : {}),
      ...(forge === 'azure' ? azureOptions : {}),
    })
  const openGitHub: Forges['openGitHub'] = (apiUrl, authorization) => openClient('github', apiUrl, authorization)
  const context = { db, secrets, clock, openClient: openGitHub }
  const apps = createAppTokens({
    openApp: async (webUrl) => learnTokens(await openAppOfHost(context, webUrl), learn),
    clock,
  })
  const written = createWrittenTexts(db)
  const budget = createBudget(clock)
  const openHost: ConnectionsContext['openHost'] = (place, token, signedIn): ForgeHost => {
    const { installationId, user, account: login, use } = signedIn
    const who = installationId === null ? login : `installation ${installationId}`
    const account = who === null ? {} : { account: `${place.webUrl} ${who}` }
    const proof = user === null ? { scheme: schemes[place.forge] } : { scheme: 'Basic' as const, user }
    const authorization = { ...proof, token, repeats: installationId === null ? 1 : tokenRepeats }
    const client = openClient(place.forge, place.apiUrl, authorization)
    if (place.forge === 'gitlab') return createGitLabHost({ client, repository: place, ...account })
    if (place.forge === 'gitea') return createGiteaHost({ client, repository: place, ...account })
    if (place.forge === 'azure')
      return createAzureHost({ client: budget(client, organizationOf(place)), repository: place, ...account })
    if (place.forge === 'bitbucket')
      return createBitbucketHost({ client, repository: place, ...account, user, written })
    if (installationId === null) return createGitHubHost({ client, repository: place, ...account })
    const target = { installationId, webUrl: place.webUrl, path: place.path, use }
    const installation = { access: (signal: AbortSignal) => apps.access(target, signal) }
    return createGitHubHost({ client, repository: place, ...account, installation })
  }
  const connections = createConnections({
    db,
    secrets,
    clock,
    openHost,
    mintToken: (installation, signal) => apps.mint(installation, signal),
  })
  return { connections, openGitHub }
}

type OpenedApp = Awaited<ReturnType<typeof openAppOfHost>>

function learnTokens(app: OpenedApp, learn: Redactor['learn'] | undefined): OpenedApp {
  const mint: OpenedApp['api']['mint'] = async (...wanted) => {
    const minted = await app.api.mint(...wanted)
    if (minted.kind === 'minted') learn?.(minted.token)
    return minted
  }
  return { ...app, api: { ...app.api, mint } }
}
