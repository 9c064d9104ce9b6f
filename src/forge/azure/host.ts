// One repository on Azure DevOps under one credential. Thin calls that never repeat a request.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { ForgeClient } from '../client.ts'
import { assertVisible, editedMeanwhile, explain } from '../explain.ts'
import type { Created, ForgeHost, HostedPull, NewPull, Polled, PullChange } from '../host.ts'
import { isStatus, parseCreated, parseReply } from '../parse.ts'
import { oid } from '../reply/shapes.ts'
import { findAccess } from './access.ts'
import { createAzureActivity } from './activity/activity.ts'
import { type Azure, type AzurePlace, openAzure, placeOf, refOf } from './azure.ts'
import { addLabels, requestReviewers } from './decorate.ts'
import { createAzureComments } from './comments.ts'
import { createAzureDiscussions } from './discussion.ts'
import { listOfBranch, listOnto } from './list.ts'
import { fromParts, toParts } from './facts-comment.ts'
import { readMergedPulls } from './merged-pulls.ts'
import { createAzureMerging } from './merging/merging.ts'
import { pullSchema, toHostedPull } from './pull.ts'
import { edit, readPull, refuseMissing } from './requests.ts'
import { jobOf } from '../body.ts'
import { setAzureStatus } from './status.ts'
import { type FactsComment, readFacts, writeFacts } from './threads.ts'

export type AzureHostOptions = {
  readonly client: ForgeClient
  readonly repository: AzurePlace
  /** As `ForgeHost.account`; the repository if not set. */
  readonly account?: string
}

export function createAzureHost({ client, repository, account }: AzureHostOptions): ForgeHost {
  const azure = openAzure(client, repository)
  return {
    kind: 'azure',
    repository: azure.asked.read.repository,
    account: account ?? azure.asked.read.repository,
    access: (known, signal) => findAccess(azure, known, signal),
    get: async (number, signal) => {
      const polled = await poll(azure, number, signal)
      return polled.kind === 'pull' ? await withFacts(azure, polled.pull, signal) : undefined
    },
    // Nobody reads the facts of a pull request whose state is polled.
    poll: (number, _, signal) => poll(azure, number, signal),
    activity: createAzureActivity(azure),
    discussions: createAzureDiscussions(azure),
    comments: createAzureComments(azure),
    countRequests: () => client.countRequests(),
    listByBranch: (branch, signal) => listByBranch(azure, branch, signal),
    listOnto: (base, signal) => listOnto(azure, base, signal),
    create: (pull, signal) => create(azure, pull, signal),
    update: (number, change, signal) => update(azure, number, change, signal),
    close: (number, signal) => close(azure, number, signal),
    addLabels: (number, labels, signal) => addLabels(azure, number, labels, signal),
    requestReviewers: (number, reviewers, signal) => requestReviewers(azure, number, reviewers, signal),
    // Azure DevOps verifies no signatures, and has no assignees and milestones.
    verification: () => Promise.resolve({ isVerified: false, reason: 'it verifies no signatures' }),
    setStatus: (status, signal) => setAzureStatus(azure, status, signal),
    assign: (_, accounts) => Promise.resolve(accounts),
    setMilestone: () => Promise.resolve(false),
    mergeLater: () =>
      Promise.resolve({ kind: 'refused', reason: 'Its auto-complete cannot be limited to one commit.' }),
    merging: createAzureMerging(azure),
    mergedPulls: (commits, signal) => readMergedPulls(azure, commits, signal),
  }
}

/** Adds the facts from their comment. */
async function withFacts(azure: Azure, pull: HostedPull, signal: AbortSignal): Promise<HostedPull> {
  const facts = await factsOf(azure, pull, signal)
  return { ...pull, body: fromParts(pull.body, facts?.content) }
}

async function factsOf(azure: Azure, pull: HostedPull, signal: AbortSignal): Promise<FactsComment | undefined> {
  if (jobOf(pull.body) === undefined) return undefined
  return await readFacts(azure, { number: pull.number, description: pull.body }, signal)
}

async function poll(azure: Azure, number: number, signal: AbortSignal): Promise<Polled> {
  const { client, path, place, asked } = azure
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  if (isStatus(reply, 404)) {
    await assertVisible(placeOf(azure), asked.read, signal)
    return { kind: 'gone' }
  }
  return {
    kind: 'pull',
    pull: toHostedPull(parseReply(reply, pullSchema, asked.read), place),
    etag: null,
    comments: null,
  }
}

/** A list cuts the descriptions, so each pull request is read. */
async function listByBranch(azure: Azure, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const found: HostedPull[] = []
  for (const { number } of await listOfBranch(azure, branch, signal)) {
    found.push(await withFacts(azure, toHostedPull(await readPull(azure, number, signal), azure.place), signal))
  }
  return found
}

/** Azure DevOps accepts a pull request without a change, so the branches are compared first. */
async function create(azure: Azure, pull: NewPull, signal: AbortSignal): Promise<Created> {
  const { client, path, place, asked } = azure
  if (await isEmpty(azure, pull, signal)) return { kind: 'empty' }
  const { description, comment } = toParts(pull.body)
  const body = {
    title: pull.title,
    description,
    sourceRefName: refOf(pull.branch),
    targetRefName: refOf(pull.base),
    isDraft: pull.draft,
  }
  const reply = await client.ask({ method: 'POST', path: `${path}/pullrequests`, body }, signal)
  const created = parseCreated(reply, pullSchema, (row) => toHostedPull(row, place))
  if (created?.kind !== 'created') {
    if (created) return created
    if (isStatus(reply, 400, 404, 409)) await refuseMissing(azure, pull, signal)
    throw await explain(placeOf(azure), reply, asked.pullRequests, signal)
  }
  if (comment === undefined) return created
  const { number } = created.pull
  const isWritten = await writeFacts(azure, number, { content: comment, before: undefined }, signal).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false
      throw error
    },
  )
  // The next look finds the pull request without its facts, and writes them or says why not.
  if (!isWritten) return { kind: 'unknown_effect' }
  return { kind: 'created', pull: { ...created.pull, body: fromParts(created.pull.body, comment) } }
}

/** Without a common commit the histories have nothing in common. */
const comparisonSchema = z.object({ commonCommit: oid.nullish(), targetCommit: oid })

async function isEmpty(azure: Azure, { base, branch }: NewPull, signal: AbortSignal): Promise<boolean> {
  const { client, path, asked } = azure
  const query = {
    baseVersion: base,
    baseVersionType: 'branch',
    targetVersion: branch,
    targetVersionType: 'branch',
    diffCommonCommit: true,
    $top: 1,
  }
  const reply = await client.ask({ method: 'GET', path: `${path}/diffs/commits`, query }, signal)
  if (isStatus(reply, 400, 404)) {
    await refuseMissing(azure, { base, branch }, signal)
    throw await explain(placeOf(azure), reply, asked.read, signal)
  }
  const { commonCommit, targetCommit } = parseReply(reply, comparisonSchema, asked.read)
  return commonCommit === targetCommit
}

/** First the description, then the comment: what the second step lost is missing when it is read, and is written again. */
async function update(azure: Azure, number: number, change: PullChange, signal: AbortSignal): Promise<HostedPull> {
  const { title, body, base, draft } = change
  const parts = body === undefined ? undefined : toParts(body)
  const targetRefName = base === undefined ? undefined : refOf(base)
  const fields = { title, description: parts?.description, targetRefName, isDraft: draft }
  const { was } = change
  if (was !== undefined) await assertUnchanged(azure, number, was, signal)
  const pull = toHostedPull(await edit(azure, number, fields, signal), azure.place)
  const before = await factsOf(azure, pull, signal)
  const content = parts?.comment
  if (content !== undefined) await writeFacts(azure, number, { content, before }, signal)
  return { ...pull, body: fromParts(pull.body, content ?? before?.content) }
}

async function assertUnchanged(azure: Azure, number: number, was: string, signal: AbortSignal): Promise<void> {
  const { description } = toParts(was)
  const facts = jobOf(was) === undefined ? undefined : await readFacts(azure, { number, description }, signal)
  const now = toHostedPull(await readPull(azure, number, signal), azure.place)
  if (fromParts(now.body, facts?.content) !== was) throw editedMeanwhile(azure.asked.read, number)
}

/** Refused when it has ended. People can open it again. */
async function close(azure: Azure, number: number, signal: AbortSignal): Promise<void> {
  try {
    await edit(azure, number, { status: 'abandoned' }, signal)
  } catch (error) {
    const isEnded = async () => (await readPull(azure, number, signal)).status !== 'active'
    if (error instanceof Failure && error.code === 'forge_unavailable' && (await isEnded())) return
    throw error
  }
}
