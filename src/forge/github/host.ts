// One repository on GitHub or GitHub Enterprise under one credential. Thin calls that never repeat a request, except to
// open a normal pull request if GitHub refuses a draft.

import { z } from 'zod'
import { collectPulls } from '../authors/merged-pulls.ts'
import type { ForgeClient, ForgeRequest, Reply } from '../client.ts'
import { failureOf, outcomeOf } from '../errors.ts'
import { refuseMoved } from '../explain.ts'
import type { Access, Created, ForgeHost, HostedPull, NewPull, Polled } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { refusedOf } from '../reply/refused.ts'
import { createGitHubActivity } from './activity/reader.ts'
import { findTokenAccess } from './access.ts'
import { createGitHubCommits, readVerification, setGitHubStatus } from './commits/commits.ts'
import { createGitHubForks } from './fork.ts'
import { createGitHubHeads } from './heads/heads.ts'
import { createGitHubComments } from './comments.ts'
import { createGitHubDiscussions } from './discussion.ts'
import { convertToDraft } from './graphql/draft.ts'
import { mergeLater } from './graphql/merge-later.ts'
import { readMergedPulls } from './merging/merged-pulls.ts'
import { createGitHubMerging } from './merging/merging.ts'
import { type GitHub, type GitHubPlace, openGitHub } from './github.ts'
import { assign, setMilestone } from './issue.ts'
import { countedPullSchema, pullSchema, toHostedPull } from './pull.ts'
import { readGitHubRules } from './rules.ts'

export type GitHubHostOptions = {
  readonly client: ForgeClient
  readonly repository: GitHubPlace
  /** As `ForgeHost.account`; the repository if not set. */
  readonly account?: string
  /** Set when the credential is an installation of a GitHub App, whose commits GitHub signs. */
  readonly installation?: { access(signal: AbortSignal): Promise<Access> } | undefined
}

const pageSize = 100
const mostPages = 30

export function createGitHubHost({ client, repository, account, installation }: GitHubHostOptions): ForgeHost {
  const github = openGitHub(client, repository, installation !== undefined)
  const get: ForgeHost['get'] = async (number, signal) => {
    const polled = await poll(github, number, null, signal)
    return polled.kind === 'pull' ? polled.pull : undefined
  }
  return {
    kind: 'github',
    repository: github.asked.read.repository,
    account: account ?? github.asked.read.repository,
    access: (known, signal) => installation?.access(signal) ?? findTokenAccess(github, known, signal),
    get,
    rules: (branch, signal) => readGitHubRules(github, branch, signal),
    poll: (number, etag, signal) => poll(github, number, etag, signal),
    activity: createGitHubActivity(github),
    discussions: createGitHubDiscussions(github),
    comments: createGitHubComments(github),
    heads: createGitHubHeads(github),
    countRequests: () => client.countRequests(),
    listByBranch: (branch, signal) => listByBranch(github, branch, signal),
    listOnto: (base, signal) => list(github, { base, state: 'open' }, signal),
    create: (pull, signal) => create(github, pull, signal),
    update: async (number, { title, body, base, draft }, signal) => {
      // Before its note is in the text: who finds the note takes the draft for decided.
      if (draft) await convertToDraft(github, number, signal)
      return await edit(github, number, { title, body, base }, signal)
    },
    close: async (number, signal) => {
      await edit(github, number, { state: 'closed' }, signal)
    },
    addLabels: (number, labels, signal) => {
      const path = `${github.path}/issues/${number}/labels`
      return addEach(github, labels, (some) => ({ method: 'POST', path, body: { labels: some } }), signal)
    },
    requestReviewers: (number, reviewers, signal) => {
      const path = `${github.path}/pulls/${number}/requested_reviewers`
      return addEach(github, reviewers, (some) => ({ method: 'POST', path, body: toReviewers(some) }), signal)
    },
    assign: (number, accounts, signal) => assign(github, number, accounts, signal),
    setMilestone: (number, title, signal) => setMilestone(github, number, title, signal),
    mergeLater: (pull, signal) => mergeLater(github, pull, signal),
    merging: createGitHubMerging(github, get),
    mergedPulls: (commits, signal) => collectPulls(commits, (commit) => readMergedPulls(github, commit, signal)),
    verification: (commit, signal) => readVerification(github, commit, signal),
    setStatus: (status, signal) => setGitHubStatus(github, status, signal),
    ...(installation ? { commits: createGitHubCommits(github) } : { forks: createGitHubForks(github) }),
  }
}

async function poll(github: GitHub, number: number, etag: string | null, signal: AbortSignal): Promise<Polled> {
  const reply = await github.client.ask({ method: 'GET', path: `${github.path}/pulls/${number}`, etag }, signal)
  if (isStatus(reply, 304)) return { kind: 'unchanged' }
  if (isStatus(reply, 404, 410)) return { kind: 'gone' }
  const row = parseReply(reply, countedPullSchema, github.asked.pullRequests)
  const comments = row.comments === undefined ? null : row.comments + (row.review_comments ?? 0)
  const pull = toHostedPull(row, github.repository)
  return { kind: 'pull', pull, etag: reply.kind === 'response' ? reply.etag : null, comments }
}

/** GitHub ignores a head without its owner and lists everything, so each pull request is checked again. */
async function listByBranch(github: GitHub, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const found = await list(github, { head: `${ownerOfBranches(github)}:${branch}`, state: 'all' }, signal)
  return found.filter((pull) => pull.isOwn && pull.head.branch === branch)
}

type ListQuery = { readonly head?: string; readonly base?: string; readonly state: 'all' | 'open' }

async function list(github: GitHub, asking: ListQuery, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const { client, path, repository, asked } = github
  const found: HostedPull[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { ...asking, per_page: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/pulls`, query }, signal)
    // A list under the new name of the owner would be empty, and a second pull request would be opened.
    refuseMoved(reply, asked.read)
    const rows = parseReply(reply, z.array(pullSchema), asked.pullRequests)
    found.push(...rows.map((row) => toHostedPull(row, repository)))
    if (rows.length < pageSize) break
  }
  return found
}

/** The account in whose repository the branches of jobs are. */
function ownerOfBranches({ repository: { owner, fork } }: GitHub): string {
  return fork?.split('/')[0] ?? owner
}

async function create(github: GitHub, pull: NewPull & MayEdit, signal: AbortSignal): Promise<Created> {
  const { branch, base, title, body, draft, mayEdit: maintainer_can_modify } = pull
  const head = github.repository.fork === undefined ? branch : `${ownerOfBranches(github)}:${branch}`
  const content = { head, base, title, body, draft, maintainer_can_modify }
  const request = { method: 'POST', path: `${github.path}/pulls`, body: content } as const
  const reply = await github.client.ask(request, signal)
  if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
  if (reply.kind === 'response' && reply.status < 300) {
    const made = pullSchema.safeParse(reply.body)
    if (!made.success) return { kind: 'unknown_effect' }
    return { kind: 'created', pull: toHostedPull(made.data, github.repository) }
  }
  const outcome = outcomeOf(reply)
  if (outcome === 'exists' || outcome === 'empty') return { kind: outcome }
  if (outcome === 'fork_collab' && pull.mayEdit !== false) return create(github, { ...pull, mayEdit: false }, signal)
  // Private repositories of some plans have no drafts.
  const hasNoDrafts = isStatus(reply, 422) && /draft pull requests are not supported/i.test(wordsOf(reply))
  if (draft && hasNoDrafts) return create(github, { ...pull, draft: false }, signal)
  throw failureOf(reply, github.asked.pullRequests)
}

/** Whether the maintainers of the repository may push to the branch of a fork; GitHub's default is that they may. */
type MayEdit = { readonly mayEdit?: false }

type Edit = { readonly [name in 'title' | 'body' | 'base']?: string | undefined } & { readonly state?: 'closed' }

/** The same edit may be sent again. JSON omits undefined fields. */
async function edit(github: GitHub, number: number, body: Edit, signal: AbortSignal): Promise<HostedPull> {
  const request = { method: 'PATCH', path: `${github.path}/pulls/${number}`, body } as const
  return parsePull(github, await github.client.ask(request, signal))
}

/** `org/team` requests a review from a team. */
function toReviewers(names: readonly string[]) {
  const teams = names.filter((name) => name.includes('/'))
  return {
    reviewers: names.filter((name) => !name.includes('/')),
    team_reviewers: teams.map((name) => name.slice(name.lastIndexOf('/') + 1)),
  }
}

type ToRequest = (some: readonly string[]) => ForgeRequest

/** Adding twice changes nothing. Returns the refused ones. */
async function addEach(
  { client, asked }: GitHub,
  names: readonly string[],
  toRequest: ToRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return await refusedOf(names, async (some) => {
    const reply = await client.ask(toRequest(some), signal)
    if (isStatus(reply, 403, 404, 422)) return true
    if (reply.kind === 'response' && reply.status < 300) return false
    throw failureOf(reply, asked.pullRequests)
  })
}

function parsePull({ repository, asked }: GitHub, reply: Reply): HostedPull {
  return toHostedPull(parseReply(reply, pullSchema, asked.pullRequests), repository)
}

function wordsOf(reply: Reply): string {
  return reply.kind === 'response' ? reply.words : ''
}
