// A loopback forge for tests: GitHub, GitLab, Gitea, Bitbucket or Azure DevOps with the routes that Docent uses, on a real bare
// repository. What GitHub, Bitbucket and Azure DevOps are sent and send back is held against their own descriptions; a test
// that breaks them fails.

import assert from 'node:assert/strict'
import { writeRef } from '../bare-repository.ts'
import type { Files } from '../git-objects.ts'
import type { Cleanup, TestRemote } from '../git-remote.ts'
import type { Fork } from './fork.ts'
import { type App, type NewApp, createApps } from './github-app.ts'
import { openGitHubApi } from './github-api.ts'
import { openAzureApi } from './azure/api.ts'
import { openBitbucketApi } from './bitbucket/api.ts'
import { openGiteaApi } from './gitea.ts'
import { openGitLabApi } from './gitlab.ts'
import type { Remarks } from './remarks.ts'
import {
  type Api,
  type ForgeFault,
  type ForgeServer,
  type RecordedRequest,
  type SeenRequest,
  serveForge,
} from './server.ts'
import {
  type Kind,
  type Merge,
  type NewToken,
  type Pull,
  type Switches,
  type Token,
  type World,
  createWorld,
} from './world.ts'

export type ForgeOptions = {
  readonly kind: Kind
  /** `owner/name`; GitLab may have more steps. Default: `acme/docs`, on Azure DevOps `acme/Team docs/_git/docs`. */
  readonly path?: string
  /** The files of the branch main; null: the repository is empty. */
  readonly files?: Files | null
  readonly switches?: Partial<Switches>
}

export type TestForge = {
  readonly kind: Kind
  /** `host:port`, for the private hosts of the service. */
  readonly host: string
  readonly web: string
  readonly api: string
  /** The address of the repository. */
  readonly repository: string
  readonly remote: TestRemote
  readonly requests: readonly RecordedRequest[]
  readonly switches: Switches
  readonly pulls: Pull[]
  /** The words of people and checks. */
  readonly remarks: Remarks
  /** The problems of requests and replies; a test that expects it takes it away. */
  takeProblems(): readonly string[]
  /** Asked for every request. */
  fault: ((request: SeenRequest) => ForgeFault | undefined) | undefined
  /** The fault happens once, to the first request of the route. */
  failOnce(route: string, fault: ForgeFault): void
  /** `permissions`: of GitHub, besides those of the rights. */
  createToken(given?: Partial<NewToken>): Token
  /** Somebody else's copy of the repository, once there is one. */
  readonly fork: Fork | undefined
  /** GitHub: an App that is installed on the repository. */
  createApp(given?: NewApp): App & { readonly installationId: number }
  readonly apps: readonly App[]
  /** All that were ever created or minted. */
  readonly tokens: readonly Token[]
  /** Public keys that the forge knows. */
  readonly signingKeys: string[]
  revoke(token: Pick<Token, 'value'>): void
  revokeAll(): void
  /** Moves the forge's clock. */
  advance(ms: number): void
  pull(number: number): Pull
  /** By a person. Returns the commit on the base. */
  merge(number: number, how?: Merge): string
  retarget(number: number, base: string): void
  /** Renames a branch, and the base of pull requests, as the forges do. */
  renameBranch(from: string, to: string): void
  /** Replaces the commits of a branch by one on top of the default branch. Returns its id. */
  forcePush(branch: string, files: Files): string
  close(number: number): void
  reopen(number: number): void
  lock(number: number): void
  /** A commit of a person on a branch. Returns its id. */
  push(branch: string, files: Files, message?: string): string
  deleteBranch(branch: string): void
  /** A pull request of a person, from a branch of the repository. */
  openAs(branch: string, author: string): Pull
  /** A pull request from a fork whose branch has this name. */
  openFromFork(branch: string): Pull
  rename(path: string): void
}

export async function startForge(t: Cleanup, options: ForgeOptions): Promise<TestForge> {
  const { files = { 'docs/index.md': '# Home\n' }, kind } = options
  const { path = usualPath(kind), switches = {} } = options
  const world = createWorld(t, { kind, path, switches, ...(files ? { files } : {}) })
  const apps = createApps(world)
  const problems: string[] = []
  const open = (web: string): Api => {
    if (kind === 'gitlab') return openGitLabApi(world, web)
    if (kind === 'azure') return openAzureApi(world, problems, web)
    if (kind === 'bitbucket') return openBitbucketApi(world, problems, web)
    return kind === 'gitea' ? openGiteaApi(world, web) : openGitHubApi({ world, apps, problems }, web)
  }
  const server = await serveForge(t, world, open)
  t.after(() => assert.deepEqual(problems, [], 'the forge and its client keep to the description of the forge'))
  const web = `http://${server.host}`
  const prefix = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1', bitbucket: '/2.0', azure: '' }[kind]
  return {
    kind,
    host: server.host,
    web,
    api: `${web}${prefix}`,
    get repository() {
      return `${web}/${encodeURI(world.path)}${kind === 'azure' ? '' : '.git'}`
    },
    get fork() {
      return world.fork
    },
    remote: world.remote,
    requests: server.requests,
    switches: world.switches,
    pulls: world.pulls,
    signingKeys: world.signingKeys,
    remarks: world.remarks,
    takeProblems: () => problems.splice(0),
    apps: apps.all,
    tokens: world.tokens,
    createApp: (given) => {
      const app = apps.create(given)
      return { ...app, installationId: apps.install(app) }
    },
    get fault() {
      return server.fault
    },
    set fault(fault) {
      server.fault = fault
    },
    failOnce: (route, fault) => failOnce(server, route, fault),
    ...tokensOf(world),
    ...peopleOf(world),
  }
}

export function usualPath(kind: Kind): string {
  return kind === 'azure' ? 'acme/Team docs/_git/docs' : 'acme/docs'
}

function failOnce(server: ForgeServer, route: string, fault: ForgeFault): void {
  const before = server.fault
  server.fault = (request) => {
    if (request.route !== route) return before?.(request)
    server.fault = before
    return fault
  }
}

const forms = {
  github: { prefix: 'github_pat_', length: 520, login: 'ada' },
  gitlab: { prefix: 'glpat-', length: 52, login: 'docent-token' },
  gitea: { prefix: '', length: 40, login: 'docent-token' },
  bitbucket: { prefix: 'ATCTT3xFfGN0', length: 190, login: 'docent-token' },
  azure: { prefix: '', length: 84, login: 'docent-token' },
} as const

const allRights = ['read', 'push', 'pullRequests'] as const

function tokensOf(world: World) {
  return {
    createToken: (given: Partial<NewToken> = {}) => {
      const rights = given.rights ?? allRights
      const permissions = {
        metadata: 'read',
        ...(rights.includes('read') ? { contents: 'read', pull_requests: 'read' } : {}),
        ...(rights.includes('push') ? { contents: 'write' } : {}),
        ...(rights.includes('pullRequests') ? { pull_requests: 'write' } : {}),
        ...given.permissions,
      }
      const api = given.email === undefined ? {} : { prefix: 'ATATT3xFfGF0', login: 'ada' }
      return world.createToken({ ...forms[world.kind], ...api, ...given, rights, permissions })
    },
    revoke: ({ value }: Pick<Token, 'value'>) => {
      const token = world.tokens.find((one) => one.value === value)
      if (token) token.isRevoked = true
    },
    revokeAll: () => {
      for (const token of world.tokens) token.isRevoked = true
    },
    advance: world.advance,
  }
}

function peopleOf(world: World) {
  const change = (number: number, edit: Partial<Pull>) => {
    Object.assign(find(number), edit)
    world.touch(find(number))
  }
  const find = (number: number): Pull => {
    const pull = world.pull(number)
    assert(pull, `there is no pull request ${number}`)
    return pull
  }
  return {
    pull: find,
    merge: world.merge,
    retarget: (number: number, base: string) => change(number, { base }),
    renameBranch: (from: string, to: string) => {
      world.remote.git(['branch', '-m', from, to])
      for (const pull of world.pulls.filter(({ state, base }) => state === 'open' && base === from)) pull.base = to
    },
    forcePush: (branch: string, files: Files) => {
      const { directory, head } = { ...world.remote, head: world.remote.head(world.defaultBranch()) ?? '' }
      writeRef(directory, `refs/heads/${branch}`, head)
      return world.remote.commit(branch, files, 'Rewritten')
    },
    close: (number: number) => change(number, { state: 'closed' }),
    reopen: (number: number) => {
      assert.notEqual(world.kind, 'bitbucket', 'Bitbucket opens nothing again')
      change(number, { state: 'open' })
    },
    lock: (number: number) => change(number, { isLocked: true }),
    push: (branch: string, files: Files, message?: string) => {
      const main = world.remote.head(world.defaultBranch())
      if (main !== null && world.remote.head(branch) === null)
        writeRef(world.remote.directory, `refs/heads/${branch}`, main)
      return world.remote.commit(branch, files, message)
    },
    deleteBranch: (branch: string) => {
      world.sync()
      world.remote.git(['update-ref', '-d', `refs/heads/${branch}`])
      world.sync()
    },
    openAs: (branch: string, author: string) => {
      const head = world.heads().get(branch) ?? ''
      const text = { title: `Change ${branch}`, body: '', base: 'main', draft: false }
      return world.createPull({ ...text, branch, head, author, fork: null })
    },
    openFromFork: (branch: string) => {
      const head = world.heads().get('main') ?? ''
      const text = { title: 'From a fork', body: '', base: 'main', draft: false }
      return world.createPull({ ...text, branch, head, author: 'grace', fork: 'grace' })
    },
    rename: (path: string) => {
      world.formerPaths.add(world.path)
      world.path = path
    },
  }
}
