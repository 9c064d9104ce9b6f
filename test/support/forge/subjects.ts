// The subjects of the suite of adapters: an adapter with its client, over a loopback forge with a credential as
// the service would give it, or over `emulate`, somebody else's GitHub.

import { type Emulator, createEmulator } from 'emulate'
import { createForgeClient } from '../../../src/forge/client.ts'
import { azureOptions } from '../../../src/forge/azure/azure.ts'
import { createAzureHost } from '../../../src/forge/azure/host.ts'
import { createBitbucketHost } from '../../../src/forge/bitbucket/host.ts'
import type { WrittenTexts } from '../../../src/forge/bitbucket/written.ts'
import { createGiteaHost } from '../../../src/forge/gitea/host.ts'
import { createAppApi } from '../../../src/forge/github/app-api.ts'
import { parsePrivateKey } from '../../../src/forge/github/app-jwt.ts'
import { createAppTokens, tokenRepeats } from '../../../src/forge/github/app-token.ts'
import { gitHubHeaders } from '../../../src/forge/github/github.ts'
import { createGitHubHost } from '../../../src/forge/github/host.ts'
import { createGitLabHost } from '../../../src/forge/gitlab/host.ts'
import type { ForgeHost, TokenSource } from '../../../src/forge/host.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { writeRef } from '../bare-repository.ts'
import type { Files } from '../git-objects.ts'
import { type Cleanup, signal } from '../git-remote.ts'
import { idOf } from './azure/shapes.ts'
import { idsOf } from './bitbucket/shapes.ts'
import { type TestForge, startForge, usualPath } from './forge.ts'
import type { Kind, Switches } from './world.ts'

export type Subject = {
  readonly host: ForgeHost
  /** The name by which the host asks a person for a review; Bitbucket and Azure DevOps have ids. */
  readonly grace: string
  readonly web: string
  /** Puts one commit on a branch that starts at main. Returns its id. */
  commit(branch: string, files: Files): Promise<string>
  createBranch(branch: string): Promise<void>
}

export type LoopbackSubject = Subject & { readonly forge: TestForge }

const immediate: Clock = { now: () => systemClock.now(), sleep: () => Promise.resolve() }

/** A token of a person or project, for GitHub an App. */
export async function loopbackSubject(
  t: Cleanup,
  kind: Kind,
  switches: Partial<Switches> = {},
): Promise<LoopbackSubject> {
  const forge = await startForge(t, { kind, switches })
  const host = kind === 'github' ? await appHost(forge) : tokenHost(forge, forge.createToken().value)
  return {
    host,
    forge,
    grace: graceOn(kind),
    web: forge.web,
    commit: (branch, files) => Promise.resolve(forge.push(branch, files)),
    createBranch: (branch) => {
      writeRef(forge.remote.directory, `refs/heads/${branch}`, forge.remote.head('main') ?? '')
      return Promise.resolve()
    },
  }
}

export function graceOn(kind: Kind): string {
  if (kind === 'azure') return idOf('grace')
  return kind === 'bitbucket' ? idsOf('grace').uuid : 'grace'
}

type ForgePlace = Pick<TestForge, 'kind' | 'api' | 'web' | 'host'>

/** The adapter with a token that a person made. */
export function tokenHost(forge: ForgePlace, token: string): ForgeHost {
  const source: TokenSource = () => Promise.resolve(token)
  const client = createForgeClient({
    apiUrl: forge.api,
    authorization: { scheme: forge.kind === 'azure' ? 'Basic' : 'Bearer', token: source },
    ...(forge.kind === 'github' ? { headers: gitHubHeaders } : {}),
    ...(forge.kind === 'azure' ? azureOptions : {}),
    privateHosts: [forge.host],
  })
  const repository = { webUrl: forge.web, path: encodeURI(usualPath(forge.kind)) }
  if (forge.kind === 'bitbucket')
    return createBitbucketHost({ client, repository, user: null, written: writtenOf(forge) })
  return createHost[forge.kind]({ client, repository })
}

const createHost = {
  github: createGitHubHost,
  gitlab: createGitLabHost,
  gitea: createGiteaHost,
  azure: createAzureHost,
}

/** In memory, the same for all adapters of a forge: they share the database of the service. */
function writtenOf(forge: ForgePlace): WrittenTexts {
  const known = memories.get(forge)
  if (known) return known
  const texts = new Map<string, { readonly jobId: string; readonly digests: Set<string> }>()
  const written: WrittenTexts = {
    read: (branch) => Promise.resolve(texts.get(branch)),
    add: (branch, { jobId, digests }) => {
      const before = texts.get(branch)?.digests ?? []
      texts.set(branch, { jobId, digests: new Set([...before, ...digests]) })
      return Promise.resolve()
    },
  }
  memories.set(forge, written)
  return written
}

const memories = new WeakMap<ForgePlace, WrittenTexts>()

type AppPlace = {
  readonly api: string
  readonly web: string
  readonly path: string
  readonly app: { readonly id: number; readonly slug: string; readonly privateKey: string }
  readonly installationId: number
}

function appHost(forge: TestForge): Promise<ForgeHost> {
  const app = forge.createApp()
  return openAppHost({ api: forge.api, web: forge.web, path: 'acme/docs', app, installationId: app.installationId })
}

async function openAppHost({ api, web, path, app, installationId }: AppPlace): Promise<ForgeHost> {
  const privateHosts = [new URL(web).host]
  const appApi = createAppApi({
    apiUrl: api,
    identity: { appId: app.id, privateKey: parsePrivateKey(app.privateKey) },
    openClient: (apiUrl, authorization) => createForgeClient({ apiUrl, authorization, privateHosts }),
    clock: systemClock,
  })
  const openApp = () => Promise.resolve({ api: appApi, slug: app.slug })
  const tokens = createAppTokens({ openApp, clock: immediate })
  const target = { installationId, webUrl: web, path, use: 'jobs' } as const
  let kept = await tokens.mint(target, signal())
  const token: TokenSource = async (isRefused, signal) => {
    if (isRefused) kept = await tokens.mint(target, signal)
    return kept.token
  }
  const client = createForgeClient({
    apiUrl: api,
    authorization: { scheme: 'Bearer', token, repeats: tokenRepeats },
    headers: gitHubHeaders,
    privateHosts,
  })
  const installation = { access: (signal: AbortSignal) => tokens.access(target, signal) }
  return createGitHubHost({ client, repository: { webUrl: web, path }, installation })
}

/** `emulate` has no git over HTTP: commits are made over its API. */
export async function emulatedSubject(t: Cleanup): Promise<Subject> {
  const permissions = { contents: 'write', pull_requests: 'write', issues: 'write', metadata: 'read' }
  const installations = [{ installation_id: 100, account: 'acme', repository_selection: 'all' }]
  const emulator = await createEmulator({
    service: 'github',
    seed: {
      tokens: { setup: { login: 'ada', scopes: ['repo'] } },
      github: {
        users: [{ login: 'ada' }, { login: 'grace' }],
        orgs: [{ login: 'acme', members: [{ login: 'ada', role: 'admin' }, { login: 'grace' }] }],
        repos: [{ owner: 'acme', name: 'docs', auto_init: true }],
        apps: [{ app_id: 7, slug: 'docent', name: 'Docent', permissions, installations }],
      },
    },
  })
  t.after(() => emulator.close())
  const privateKey = emulator.generatedSecrets.find(({ kind }) => kind === 'github.app_private_key')?.value ?? ''
  const app = { id: 7, slug: 'docent', privateKey }
  const place = { api: emulator.url, web: emulator.url, path: 'acme/docs', app, installationId: 100 }
  return { host: await openAppHost(place), grace: 'grace', web: emulator.url, ...writer(emulator) }
}

function writer({ url }: Emulator): Pick<Subject, 'commit' | 'createBranch'> {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { Authorization: 'Bearer setup', 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/repos/acme/docs/git${path}`, { method, headers, ...sent })
    if (!response.ok) throw new Error(`emulate: ${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  type Ref = { readonly object: { readonly sha: string } }
  const headOf = async (branch: string) => (await ask<Ref>('GET', `/ref/heads/${branch}`)).object.sha
  return {
    createBranch: async (branch) => {
      await ask('POST', '/refs', { ref: `refs/heads/${branch}`, sha: await headOf('main') })
    },
    commit: async (branch, files) => {
      const found = await headOf(branch).catch(() => undefined)
      const parent = found ?? (await headOf('main'))
      const entries = Object.entries(files).map(([path, content]) => ({ path, mode: '100644', type: 'blob', content }))
      const base = await ask<{ tree: { sha: string } }>('GET', `/commits/${parent}`)
      const tree = await ask<{ sha: string }>('POST', '/trees', { base_tree: base.tree.sha, tree: entries })
      const body = { message: 'A change', tree: tree.sha, parents: [parent] }
      const { sha } = await ask<{ sha: string }>('POST', '/commits', body)
      if (found === undefined) await ask('POST', '/refs', { ref: `refs/heads/${branch}`, sha })
      else await ask('PATCH', `/refs/heads/${branch}`, { sha })
      return sha
    },
  }
}
