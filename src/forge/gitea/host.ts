// One repository on Gitea or Forgejo under one credential. Thin calls that never repeat a request.

import { z } from 'zod'
import { collectPulls } from '../authors/merged-pulls.ts'
import type { ForgeClient } from '../client.ts'
import { assertVisible, editedMeanwhile, explain, refuseMissingBranch, refuseMoved } from '../explain.ts'
import type { Created, ForgeHost, HostedPull, NewPull, Polled, PullChange } from '../host.ts'
import { isStatus, parseCreated, parseReply } from '../parse.ts'
import { encodePath } from '../reply/shapes.ts'
import { findAccess } from './access.ts'
import { createGiteaActivity } from './activity.ts'
import { createGiteaComments } from './comments.ts'
import { createGiteaDiscussions } from './discussion.ts'
import { createGiteaForks } from './fork.ts'
import { createGiteaHeads } from './heads.ts'
import { type Gitea, type GiteaPlace, headOf, openGitea, placeOf } from './gitea.ts'
import { addLabels, assign, requestReviewers, setMilestone } from './labels.ts'
import { listByBranch, listOnto } from './list.ts'
import { mergeLater } from './merging/merge-later.ts'
import { readMergedPull } from './merged-pull.ts'
import { createGiteaMerging } from './merging/merging.ts'
import { draftTitle, pullSchema, toHostedPull } from './pull.ts'
import { setGiteaStatus } from './commits/status.ts'
import { readVerification } from './commits/verification.ts'
import { readGiteaRules } from './rules.ts'

export type GiteaHostOptions = {
  readonly client: ForgeClient
  readonly repository: GiteaPlace
  /** As `ForgeHost.account`; the repository if not set. */
  readonly account?: string
}

export function createGiteaHost({ client, repository, account }: GiteaHostOptions): ForgeHost {
  const gitea = openGitea(client, repository)
  return {
    kind: 'gitea',
    repository: gitea.asked.read.repository,
    account: account ?? gitea.asked.read.repository,
    access: (known, signal) => findAccess(gitea, known, signal),
    get: async (number, signal) => {
      const polled = await poll(gitea, number, null, signal)
      return polled.kind === 'pull' ? polled.pull : undefined
    },
    rules: (branch, signal) => readGiteaRules(gitea, branch, signal),
    poll: (number, etag, signal) => poll(gitea, number, etag, signal),
    activity: createGiteaActivity(gitea),
    discussions: createGiteaDiscussions(gitea),
    comments: createGiteaComments(gitea),
    heads: createGiteaHeads(gitea),
    countRequests: () => client.countRequests(),
    listByBranch: (branch, signal) => listByBranch(gitea, branch, signal),
    listOnto: (base, signal) => listOnto(gitea, base, signal),
    create: (pull, signal) => create(gitea, pull, signal),
    update: (number, change, signal) => update(gitea, number, change, signal),
    close: (number, signal) => close(gitea, number, signal),
    addLabels: (number, labels, signal) => addLabels(gitea, number, labels, signal),
    requestReviewers: (number, reviewers, signal) => requestReviewers(gitea, number, reviewers, signal),
    assign: (number, accounts, signal) => assign(gitea, number, accounts, signal),
    setMilestone: (number, title, signal) => setMilestone(gitea, number, title, signal),
    verification: (commit, signal) => readVerification(gitea, commit, signal),
    setStatus: (status, signal) => setGiteaStatus(gitea, status, signal),
    mergeLater: (pull, signal) => mergeLater(gitea, pull, signal),
    merging: createGiteaMerging(gitea),
    mergedPulls: (commits, signal) => collectPulls(commits, (commit) => readMergedPull(gitea, commit, signal)),
    forks: createGiteaForks(gitea),
  }
}

/** Most versions send no ETag and never respond with 304. */
async function poll(gitea: Gitea, number: number, etag: string | null, signal: AbortSignal): Promise<Polled> {
  const reply = await gitea.client.ask({ method: 'GET', path: `${gitea.path}/pulls/${number}`, etag }, signal)
  if (isStatus(reply, 304)) return { kind: 'unchanged' }
  if (isStatus(reply, 404)) {
    await assertVisible(placeOf(gitea), gitea.asked.read, signal)
    return { kind: 'gone' }
  }
  const row = parseReply(reply, pullSchema, gitea.asked.read)
  const pull = toHostedPull(row, gitea.place)
  const comments = row.comments === undefined ? null : row.comments + (row.review_comments ?? 0)
  return { kind: 'pull', pull, etag: reply.kind === 'response' ? reply.etag : null, comments }
}

/** Gitea accepts a pull request without a change, so the branches are compared first. */
async function create(gitea: Gitea, pull: NewPull, signal: AbortSignal): Promise<Created> {
  const { client, path, place, asked } = gitea
  if (await isEmpty(gitea, pull, signal)) return { kind: 'empty' }
  const { branch, base, body } = pull
  const content = { head: headOf(gitea, branch), base, body, title: draftTitle(pull.title, pull.draft) }
  const reply = await client.ask({ method: 'POST', path: `${path}/pulls`, body: content }, signal)
  const created = parseCreated(reply, pullSchema, (row) => toHostedPull(row, place))
  if (created) return created
  if (isStatus(reply, 404)) await refuseMissing(gitea, pull, signal)
  throw await explain(placeOf(gitea), reply, asked.pullRequests, signal)
}

const comparisonSchema = z.object({ total_commits: z.int() })

/** Hosts that are too old for comparisons respond with 404, as for a missing branch. */
async function isEmpty(gitea: Gitea, pull: NewPull, signal: AbortSignal): Promise<boolean> {
  const { client, path, asked } = gitea
  const place = `${path}/compare/${encodePath(`${pull.base}...${headOf(gitea, pull.branch)}`)}`
  const reply = await client.ask({ method: 'GET', path: place }, signal)
  refuseMoved(reply, asked.read)
  if (!isStatus(reply, 404)) return parseReply(reply, comparisonSchema, asked.read).total_commits === 0
  await refuseMissing(gitea, pull, signal)
  return false
}

async function refuseMissing(gitea: Gitea, pull: NewPull, signal: AbortSignal): Promise<void> {
  const { client, place, asked } = gitea
  await assertVisible(placeOf(gitea), asked.read, signal)
  const where = { repository: asked.read.repository, fork: place.fork }
  await refuseMissingBranch(pull, where, async (branch, fork = place.path) => {
    const path = `/repos/${encodePath(fork)}/branches/${encodePath(branch)}`
    return isStatus(await client.ask({ method: 'GET', path }, signal), 404)
  })
}

/** The title says whether it is a draft: one that a person made ready stays ready. The status of success is 201. */
async function update(gitea: Gitea, number: number, change: PullChange, signal: AbortSignal): Promise<HostedPull> {
  const { client, path, place, asked } = gitea
  const request = { path: `${path}/pulls/${number}` }
  const { title, body, base, draft = false, was } = change
  const read = async () => {
    const found = await client.ask({ ...request, method: 'GET' }, signal)
    return toHostedPull(parseReply(found, pullSchema, asked.read), place)
  }
  const isRetitled = title !== undefined || draft
  const now = isRetitled || was !== undefined ? await read() : undefined
  if (now && was !== undefined && now.body !== was) throw editedMeanwhile(asked.read, number)
  const titled = now && isRetitled ? { title: draftTitle(title ?? now.title, draft || now.draft) } : {}
  const reply = await client.ask({ ...request, method: 'PATCH', body: { ...titled, body, base } }, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(gitea), reply, asked.pullRequests, signal)
  return toHostedPull(parseReply(reply, pullSchema, asked.pullRequests), place)
}

/** 412: it was merged meanwhile. */
async function close(gitea: Gitea, number: number, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = gitea
  const request = { method: 'PATCH', path: `${path}/pulls/${number}`, body: { state: 'closed' } } as const
  const reply = await client.ask(request, signal)
  if (isStatus(reply, 412)) return
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(gitea), reply, asked.pullRequests, signal)
  parseReply(reply, pullSchema, asked.pullRequests)
}
