// The state of a loopback forge, the same for all hosts: one bare repository, its pull requests, whose
// heads follow the refs, and the tokens. The routes of each forge translate this into its words.

import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readHead, readHeads, writeRef } from '../bare-repository.ts'
import { type Files, commitsOf, readObject, writeObject } from '../git-objects.ts'
import { createRemarks } from './remarks.ts'
import { type Cleanup, type TestRemote, createRemote, person } from '../git-remote.ts'
import { type Fork, createFork, forkHeads } from './fork.ts'
import { type Rules, ruleHook } from './rules.ts'

export type Kind = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure'
export type Right = 'read' | 'push' | 'pullRequests'

export type Pull = {
  readonly number: number
  title: string
  body: string
  base: string
  /** The head of the base when it was opened: what is shown of a base that is gone. */
  readonly baseHead: string
  readonly branch: string
  draft: boolean
  state: 'open' | 'closed' | 'merged'
  readonly author: string
  /** Follows the branch while the pull request is open. */
  head: string
  readonly createdAt: string
  updatedAt: string
  mergedAt: string | null
  mergeCommit: string | null
  readonly labels: string[]
  readonly reviewers: string[]
  readonly assignees: string[]
  milestone: string | null
  /** The forge merges it when its checks succeed. */
  autoMerge: boolean
  isLocked: boolean
  /** From a fork that has a branch of the same name. */
  readonly fork: string | null
  /** Lists that do not show it yet. */
  hiddenLists: number
  /** The commits whose merge was tried: until then the forge does not know whether it works. */
  judged: string
}

export type Token = {
  readonly value: string
  readonly login: string
  readonly rights: ReadonlySet<Right>
  /** GitHub only: what an installation token was narrowed to. */
  readonly permissions: Readonly<Record<string, string>>
  readonly isInstallation: boolean
  /** Bitbucket only: an API token, which is used with this address. */
  readonly email: string | null
  expiresAt: number | null
  isRevoked: boolean
  /** Requests that are still refused: a new token takes a while to reach all of the forge's machines. */
  refusals: number
}

/** The switches that a test may change at any time. */
export type Switches = {
  /** Nothing can be seen without a token. */
  isPrivate: boolean
  /** One open pull request for a branch. */
  hasUniqueRule: boolean
  /** So many lists do not show a pull request that was just opened. */
  lag: number
  /** 404 where 403 would say that the thing exists. */
  hidesForbidden: boolean
  /** So many requests get 401 although the token was just minted. */
  refusesFresh: number
  isArchived: boolean
  isDeleted: boolean
  /** Globs (`*` crosses slashes): nobody may push there. */
  protected: readonly string[]
  /** Whether the repository has auto-merge. */
  allowsAutoMerge: boolean
  /** The checks that the branch main requires. Without them nothing is left to wait for. GitLab: the pipelines that run. */
  requiredChecks: readonly string[]
  /** GitHub: the scopes that it reports for a classic token; null: the token is fine-grained. */
  tokenScopes: string | null
  /** It does not check whether the branch of a pull request exists, as some imitations. */
  takesAnyHead: boolean
  /** Bitbucket: who may ask about the permissions of others. `named`: only about those that the repository itself names. */
  showsPermissions: 'all' | 'named' | 'none'
  rules: Rules
  /** So many writes, then the secondary limit until `advance` has passed it. */
  writesPerMinute: number
}

const untouched: Switches = {
  isPrivate: true,
  hasUniqueRule: true,
  lag: 0,
  hidesForbidden: false,
  refusesFresh: 0,
  isArchived: false,
  isDeleted: false,
  protected: [],
  allowsAutoMerge: true,
  requiredChecks: ['build'],
  tokenScopes: null,
  takesAnyHead: false,
  showsPermissions: 'all',
  rules: {},
  writesPerMinute: Infinity,
}

export type NewToken = {
  readonly login?: string
  readonly rights?: readonly Right[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly isInstallation?: boolean
  readonly email?: string
  readonly lifeMs?: number
  /** The characters that the forge puts before its tokens. */
  readonly prefix?: string
  readonly length?: number
}

export type World = ReturnType<typeof createWorld>

/** In the bare repository: what its hook refuses, as variables of a shell. */
export const rulesFile = 'docent-rules'
export const repositoryId = 4711
/** Accounts that exist. The first owns the repository, the bots act for Docent. */
export const people = ['acme', 'ada', 'grace', 'docent[bot]', 'docent-token', 'docs-bot'] as const

/** Accounts that nobody set up have numbers in their names. */
export function idOf(login: string): number {
  const at = (people as readonly string[]).indexOf(login)
  return at === -1 ? 50_000 + Number(/\d+/.exec(login)?.[0] ?? 0) : at
}

export type WorldOptions = {
  readonly kind: Kind
  readonly path?: string
  readonly files?: Files
  readonly switches?: Partial<Switches>
}

export function createWorld(t: Cleanup, given: WorldOptions) {
  const remote = createRemote(t)
  if (given.files) remote.commit('main', given.files)
  const switches: Switches = { ...untouched, ...given.switches }
  const pulls: Pull[] = []
  const tokens: Token[] = []
  let skippedMs = 0
  const date = () => new Date(Date.now() + skippedMs).toISOString().replace(/\.\d+/, '')
  const world = {
    kind: given.kind,
    remarks: createRemarks({ date }),
    remote,
    switches,
    pulls,
    tokens,
    /** `owner/name`; a former one is redirected. */
    path: given.path ?? 'acme/docs',
    formerPaths: new Set<string>(),
    fork: undefined as Fork | undefined,
    /** The account's fork, which is made once. */
    makeFork: (login: string): Fork =>
      (world.fork ??= createFork(remote, {
        path: `${login}/${world.path.split('/').at(-1) ?? ''}`,
        parentId: repositoryId,
        isPrivate: switches.isPrivate,
        copying: 0,
      })),
    /** The heads of the repository, or of the fork of this account. */
    headsOf: (owner: string | null) =>
      owner === null
        ? world.heads()
        : world.fork?.path.startsWith(`${owner}/`)
          ? forkHeads(world.fork)
          : new Map<string, string>(),
    labels: ['docs', 'documentation'],
    milestones: ['Docs 1', 'Docs 2'],
    /** Public keys that the forge knows, as `ssh-ed25519 AAAA… name`. */
    signingKeys: [] as string[],
    /** Whether a known key signed the commit. Undefined: it has no signature. */
    isSigned: (commit: string) => isSigned(remote, world.signingKeys, commit),
    now: () => Date.now() + skippedMs,
    /** Moves the clock of the forge. */
    advance: (ms: number) => {
      skippedMs += ms
    },
    date,
    heads: () => readHeads(remote.directory),
    defaultBranch: () => readHead(remote.directory),
    isEmpty: () => readHeads(remote.directory).size === 0,
    createToken: (options: NewToken): Token => {
      const token = newToken(options, switches.refusesFresh, world.now())
      tokens.push(token)
      return token
    },
    /** The token with this value, if it still works. */
    findToken: (value: string): Token | undefined => {
      const token = tokens.find((one) => one.value === value)
      if (!token || token.isRevoked) return undefined
      return token.expiresAt !== null && token.expiresAt <= world.now() ? undefined : token
    },
    sync: () => followHeads(world),
    /** The commits of the head that the base lacks, newest first. */
    between: (base: string, head: string): readonly string[] => {
      const known = commitsOf(remote.directory, base)
      return [...commitsOf(remote.directory, head)].filter((commit) => !known.has(commit))
    },
    /** The whole id of a commit, of which some digits are known. */
    commit: (digits: string): string | undefined => {
      if (!/^[0-9a-f]{7,40}$/.test(digits)) return undefined
      const found = remote.git(['rev-parse', `--disambiguate=${digits}`])
      return found === '' ? undefined : found.split('\n')[0]
    },
    exists: (object: string, type: string) => readObject(remote.directory, object)?.type === type,
    createPull: (pull: NewPull): Pull => {
      const date = world.date()
      const baseHead = world.heads().get(pull.base) ?? ''
      const one = { ...pull, baseHead, number: pulls.length + 1, createdAt: date, updatedAt: date, ...empty() }
      one.hiddenLists = switches.lag
      pulls.push(one)
      return one
    },
    pull: (number: number): Pull | undefined => {
      world.sync()
      return pulls.find((one) => one.number === number)
    },
    /** Lists forget what is too new, as the switch `lag` says. */
    listed: (): readonly Pull[] => {
      world.sync()
      return pulls.filter((one) => one.hiddenLists-- <= 0).toReversed()
    },
    openOf: (branch: string, base: string | null, fork: string | null = null) =>
      pulls.find(
        (one) => one.state === 'open' && one.branch === branch && one.fork === fork && (base ?? one.base) === one.base,
      ),
    mergeable: (pull: Pull) => judge(world, pull),
    merge: (number: number, how?: Merge) => mergePull(world, number, how),
    /** The pull requests that brought the commit to their base, in any state. */
    pullsOf: (commit: string) => pulls.filter((one) => one.mergeCommit === commit || one.head === commit),
    touch: (pull: Pull) => {
      pull.updatedAt = world.date()
    },
  }
  installHook(remote)
  return world
}

export type NewPull = Pick<Pull, 'title' | 'body' | 'base' | 'branch' | 'draft' | 'author' | 'head' | 'fork'>

const empty = () => ({
  state: 'open' as Pull['state'],
  mergedAt: null,
  mergeCommit: null,
  labels: [],
  reviewers: [],
  assignees: [],
  milestone: null,
  autoMerge: false,
  isLocked: false,
  hiddenLists: 0,
  judged: '',
})

function newToken(given: NewToken, refusals: number, now: number): Token {
  const { prefix = 'token_', length = 520 } = given
  return {
    value:
      prefix +
      randomBytes(length)
        .toString('base64url')
        .slice(0, length - prefix.length),
    login: given.login ?? 'docent-token',
    rights: new Set(given.rights ?? (['read', 'push', 'pullRequests'] as const)),
    permissions: given.permissions ?? {},
    isInstallation: given.isInstallation ?? false,
    email: given.email ?? null,
    expiresAt: given.lifeMs === undefined ? null : now + given.lifeMs,
    isRevoked: false,
    refusals,
  }
}

/** An open pull request follows its branch, closes with it, and is merged when a person pushed it to the base. */
function followHeads(world: World): void {
  const isFollowed = ({ state, fork }: Pull) => state === 'open' && (fork === null || world.headsOf(fork).size > 0)
  for (const pull of world.pulls.filter(isFollowed)) {
    const head = world.headsOf(pull.fork).get(pull.branch)
    if (head === undefined && (world.kind === 'github' || world.kind === 'gitea')) pull.state = 'closed'
    if (head === undefined || head === pull.head) continue
    pull.head = head
    world.touch(pull)
  }
}

/** Undefined until somebody has asked once. */
function judge(world: World, pull: Pull): boolean | undefined {
  const base = world.heads().get(pull.base) ?? ''
  const pair = `${base}..${pull.head}`
  const isFirst = pull.judged !== pair
  pull.judged = pair
  if (isFirst) return undefined
  if (world.between(pull.head, base).length === 0) return true
  return mergeTree(world.remote, base, pull.head) !== undefined
}

function isSigned(remote: TestRemote, keys: readonly string[], commit: string): boolean | undefined {
  const text = remote.git(['cat-file', 'commit', commit])
  const [, armoured] = /^gpgsig -----BEGIN SSH SIGNATURE-----\n([^-]*)-----END/m.exec(text) ?? []
  if (armoured === undefined) return undefined
  const signature = Buffer.from(armoured, 'base64')
  return keys.some((key) => signature.includes(Buffer.from(key.split(' ')[1] ?? '', 'base64')))
}

function mergeTree(remote: TestRemote, base: string, head: string): string | undefined {
  try {
    return remote.git(['merge-tree', '--write-tree', base, head]).split('\n')[0]
  } catch {
    return undefined
  }
}

/** A squash leaves nothing of the branch in the history of the base. */
export type Merge = 'merge' | 'squash'

function mergePull(world: World, number: number, how: Merge = 'merge'): string {
  const { remote } = world
  const pull = world.pull(number)
  const base = world.heads().get(pull?.base ?? '')
  if (pull?.state !== 'open' || base === undefined) throw new Error(`pull request ${number} is not open`)
  const tree = mergeTree(remote, base, pull.head)
  if (tree === undefined) throw new Error(`pull request ${number} conflicts`)
  const text = `Merge pull request #${number}\n\n${pull.title}`
  const parents = how === 'squash' ? [base] : [base, pull.head]
  const lines = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`), `author ${person}`, `committer ${person}`]
  const commit = writeObject(remote.directory, 'commit', Buffer.from(`${lines.join('\n')}\n\n${text}\n`))
  writeRef(remote.directory, `refs/heads/${pull.base}`, commit, base)
  Object.assign(pull, { state: 'merged', mergedAt: world.date(), mergeCommit: commit, updatedAt: world.date() })
  return commit
}

/** Refuses pushes as the forges do: to protected branches, and workflows, which need a right of their own. */
function installHook({ directory }: TestRemote): void {
  const text = `#!/bin/sh
set -f
. ./${rulesFile}
for glob in $protected; do
  case "$1" in refs/heads/$glob)
    echo "$protection $1." >&2
    exit 1;;
  esac
done
if [ "$workflows" = refused ] && [ "$3" != 0000000000000000000000000000000000000000 ]; then
  if [ -n "$(git rev-list -n 1 "$3" --not --all -- .github/workflows)" ]; then
    echo "refusing to allow a GitHub App to create or update workflow without workflows permission" >&2
    exit 1
  fi
fi
${ruleHook}`
  mkdirSync(join(directory, 'hooks'), { recursive: true })
  writeFileSync(join(directory, 'hooks/update'), text, { mode: 0o755 })
}
