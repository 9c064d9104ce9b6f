// One project on GitLab under one credential. Thin calls that never repeat a request. The number of a merge request is its
// `iid`; the API does not accept its `id`.

import { z } from 'zod'
import { collectPulls } from '../authors/merged-pulls.ts'
import type { ForgeClient } from '../client.ts'
import { assertVisible, explain, refuseMoved } from '../explain.ts'
import type { Created, ForgeHost, HostedPull, NewPull, Polled, PullChange } from '../host.ts'
import { isStatus, parseCreated, parseReply } from '../parse.ts'
import { findAccess } from './access.ts'
import { createGitLabActivity } from './activity/activity.ts'
import { createGitLabComments } from './comments.ts'
import { createGitLabDiscussions } from './discussion.ts'
import { type GitLab, type GitLabPlace, openGitLab } from './gitlab.ts'
import { createGitLabForks } from './fork.ts'
import { createGitLabHeads } from './heads.ts'
import { addLabels, assign, requestReviewers, setMilestone } from './labels.ts'
import { mergeLater } from './merging/merge-later.ts'
import { readMergedRequests } from './merged-requests.ts'
import { createGitLabMerging } from './merging/merging.ts'
import { draftTitle, mergeRequestSchema, toHostedPull } from './merge-request.ts'
import { setGitLabStatus } from './commits/status.ts'
import { readVerification } from './commits/verification.ts'
import { edit, placeOf, readMergeRequest, refuseMissing, sourceOf } from './requests.ts'
import { readGitLabRules } from './rules.ts'

export type GitLabHostOptions = {
  readonly client: ForgeClient
  readonly repository: GitLabPlace
  /** As `ForgeHost.account`; the repository if not set. */
  readonly account?: string
}

const pageSize = 100
const mostPages = 30

export function createGitLabHost({ client, repository, account }: GitLabHostOptions): ForgeHost {
  const gitlab = openGitLab(client, repository)
  return {
    kind: 'gitlab',
    repository: gitlab.asked.read.repository,
    account: account ?? gitlab.asked.read.repository,
    access: (_, signal) => findAccess(gitlab, signal),
    get: async (number, signal) => {
      const polled = await poll(gitlab, number, null, signal)
      return polled.kind === 'pull' ? polled.pull : undefined
    },
    rules: (_, signal) => readGitLabRules(gitlab, signal),
    poll: (number, etag, signal) => poll(gitlab, number, etag, signal),
    activity: createGitLabActivity(gitlab),
    discussions: createGitLabDiscussions(gitlab),
    comments: createGitLabComments(gitlab),
    heads: createGitLabHeads(gitlab),
    countRequests: () => client.countRequests(),
    listByBranch: (branch, signal) => listByBranch(gitlab, branch, signal),
    listOnto: (target_branch, signal) => list(gitlab, { target_branch, state: 'opened' }, signal),
    create: (pull, signal) => create(gitlab, pull, signal),
    update: (number, change, signal) => update(gitlab, number, change, signal),
    close: async (number, signal) => {
      await edit(gitlab, number, { state_event: 'close' }, signal)
    },
    addLabels: (number, labels, signal) => addLabels(gitlab, number, labels, signal),
    requestReviewers: (number, reviewers, signal) => requestReviewers(gitlab, number, reviewers, signal),
    assign: (number, accounts, signal) => assign(gitlab, number, accounts, signal),
    setMilestone: (number, title, signal) => setMilestone(gitlab, number, title, signal),
    verification: (commit, signal) => readVerification(gitlab, commit, signal),
    setStatus: (status, signal) => setGitLabStatus(gitlab, status, signal),
    mergeLater: (pull, signal) => mergeLater(gitlab, pull, signal),
    merging: createGitLabMerging(gitlab),
    mergedPulls: (commits, signal) => collectPulls(commits, (commit) => readMergedRequests(gitlab, commit, signal)),
    forks: createGitLabForks(gitlab),
  }
}

async function poll(gitlab: GitLab, number: number, etag: string | null, signal: AbortSignal): Promise<Polled> {
  const path = `${gitlab.project}/merge_requests/${number}`
  const reply = await gitlab.client.ask({ method: 'GET', path, etag }, signal)
  if (isStatus(reply, 304)) return { kind: 'unchanged' }
  if (isStatus(reply, 404)) {
    await assertVisible(placeOf(gitlab), gitlab.asked.read, signal)
    return { kind: 'gone' }
  }
  const row = parseReply(reply, mergeRequestSchema, gitlab.asked.read)
  const pull = toHostedPull(row, gitlab, await gitlab.ids(signal))
  const comments = row.user_notes_count ?? null
  return { kind: 'pull', pull, etag: reply.kind === 'response' ? reply.etag : null, comments }
}

async function listByBranch(gitlab: GitLab, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const found = await list(gitlab, { source_branch: branch, state: 'all' }, signal)
  return found.filter((pull) => pull.isOwn && pull.head.branch === branch)
}

type ListQuery = Readonly<Record<'state', string>> & Readonly<Record<string, string>>

async function list(gitlab: GitLab, asking: ListQuery, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const { client, project, asked } = gitlab
  const ids = await gitlab.ids(signal)
  const found: HostedPull[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { ...asking, per_page: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${project}/merge_requests`, query }, signal)
    if (isStatus(reply, 403, 404)) throw await explain(placeOf(gitlab), reply, asked.read, signal)
    refuseMoved(reply, asked.read)
    const rows = parseReply(reply, z.array(mergeRequestSchema), asked.read)
    found.push(...rows.map((row) => toHostedPull(row, gitlab, ids)))
    if (rows.length < pageSize) break
  }
  return found
}

/** GitLab accepts a merge request without a change, so the branches are compared first. */
async function create(gitlab: GitLab, pull: NewPull, signal: AbortSignal): Promise<Created> {
  const { client, asked } = gitlab
  if (await isEmpty(gitlab, pull, signal)) return { kind: 'empty' }
  const ids = await gitlab.ids(signal)
  const body = {
    target_project_id: ids?.project,
    source_branch: pull.branch,
    target_branch: pull.base,
    title: draftTitle(pull.title, pull.draft),
    description: pull.body,
  }
  const request = { method: 'POST', path: `${sourceOf(gitlab)}/merge_requests`, body } as const
  const reply = await client.ask(request, signal)
  const created = parseCreated(reply, mergeRequestSchema, (row) => toHostedPull(row, gitlab, ids))
  if (created) return created
  throw await explain(placeOf(gitlab), reply, asked.pullRequests, signal)
}

const comparisonSchema = z.object({ commits: z.array(z.unknown()) })

async function isEmpty(gitlab: GitLab, { base, branch }: NewPull, signal: AbortSignal): Promise<boolean> {
  const { client, asked } = gitlab
  const ids = await gitlab.ids(signal)
  const query = { from: base, to: branch, ...(ids ? { from_project_id: ids.project } : {}) }
  const reply = await client.ask({ method: 'GET', path: `${sourceOf(gitlab)}/repository/compare`, query }, signal)
  refuseMoved(reply, asked.read)
  if (isStatus(reply, 404)) {
    await refuseMissing(gitlab, { base, branch }, signal)
    throw await explain(placeOf(gitlab), reply, asked.read, signal)
  }
  return parseReply(reply, comparisonSchema, asked.read).commits.length === 0
}

/** The title says whether it is a draft: one that a person made ready stays ready. */
async function update(gitlab: GitLab, number: number, change: PullChange, signal: AbortSignal): Promise<HostedPull> {
  const { title, body, base, draft = false } = change
  const retitle = async () => {
    const now = toHostedPull(await readMergeRequest(gitlab, number, signal), gitlab, undefined)
    return { title: draftTitle(title ?? now.title, draft || now.draft) }
  }
  const titled = title === undefined && !draft ? {} : await retitle()
  const content = { ...titled, description: body, target_branch: base }
  return toHostedPull(await edit(gitlab, number, content, signal), gitlab, await gitlab.ids(signal))
}
