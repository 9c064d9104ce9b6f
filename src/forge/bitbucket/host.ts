// One repository on Bitbucket Cloud under one credential. Thin calls that never repeat a request.

import type { ForgeClient } from '../client.ts'
import { collectPulls } from '../authors/merged-pulls.ts'
import { digestOf } from '../body.ts'
import { assertVisible, editedMeanwhile, explain, refuseMissingBranch } from '../explain.ts'
import type { Created, ForgeHost, HostedPull, NewPull, Polled, PullChange } from '../host.ts'
import { isStatus, parseCreated, parseReply } from '../parse.ts'
import { encodePath } from '../reply/shapes.ts'
import { findAccess } from './access.ts'
import { createBitbucketActivity, opinionsIn } from './activity/activity.ts'
import { type Bitbucket, type BitbucketPlace, openBitbucket, placeOf } from './bitbucket.ts'
import { createBitbucketComments } from './comments.ts'
import { createBitbucketDiscussions } from './discussion.ts'
import { readHead } from './head.ts'
import { listOnto, listPulls } from './list.ts'
import { readMergedPulls } from './merged-pulls.ts'
import { createBitbucketMerging } from './merging/merging.ts'
import { fromPlain, toPlain } from './plain-body.ts'
import { pullSchema, toHostedPull } from './pull.ts'
import { edit, readPull } from './requests.ts'
import { requestReviewers } from './reviewers.ts'
import { setBitbucketStatus } from './status.ts'
import type { WrittenTexts } from './written.ts'

export type BitbucketHostOptions = {
  readonly client: ForgeClient
  readonly repository: BitbucketPlace
  /** As `ForgeHost.account`; the repository if not set. */
  readonly account?: string
  /** The e-mail address of an API token; null: an access token. */
  readonly user: string | null
  readonly written: WrittenTexts
}

type Host = { readonly bitbucket: Bitbucket; readonly written: WrittenTexts }

export function createBitbucketHost({ client, repository, account, user, written }: BitbucketHostOptions): ForgeHost {
  const bitbucket = openBitbucket(client, repository, user)
  const host = { bitbucket, written }
  return {
    kind: 'bitbucket',
    repository: bitbucket.asked.read.repository,
    account: account ?? bitbucket.asked.read.repository,
    access: (_, signal) => findAccess(bitbucket, signal),
    get: async (number, signal) => {
      const polled = await poll(host, number, null, signal)
      return polled.kind === 'pull' ? polled.pull : undefined
    },
    poll: (number, etag, signal) => poll(host, number, etag, signal),
    activity: createBitbucketActivity(bitbucket),
    discussions: createBitbucketDiscussions(bitbucket),
    comments: createBitbucketComments(bitbucket),
    countRequests: () => client.countRequests(),
    listByBranch: (branch, signal) => listByBranch(host, branch, signal),
    listOnto: (base, signal) => listOnto(bitbucket, base, signal),
    create: (pull, signal) => create(host, pull, signal),
    update: (number, change, signal) => update(host, number, change, signal),
    close: (number, signal) => close(bitbucket, number, signal),
    // Bitbucket has no labels.
    addLabels: (_, labels) => Promise.resolve(labels),
    requestReviewers: (number, reviewers, signal) => requestReviewers(bitbucket, number, reviewers, signal),
    // Its API says nothing of signatures.
    verification: () => Promise.resolve({ isVerified: false, reason: 'its API does not say' }),
    setStatus: (status, signal) => setBitbucketStatus(bitbucket, status, signal),
    // Bitbucket has no assignees and milestones, and its API does not merge later.
    assign: (_, accounts) => Promise.resolve(accounts),
    setMilestone: () => Promise.resolve(false),
    mergeLater: () => Promise.resolve({ kind: 'refused', reason: 'Its API does not offer that.' }),
    merging: createBitbucketMerging(bitbucket),
    mergedPulls: (commits, signal) => collectPulls(commits, (commit) => readMergedPulls(bitbucket, commit, signal)),
  }
}

/** Completes what the response lacks: the id of the commit, and the markers of the body. */
async function complete({ bitbucket, written }: Host, pull: HostedPull, signal: AbortSignal): Promise<HostedPull> {
  const { branch, commit } = pull.head
  const head = { branch, commit: await readHead(bitbucket, commit, signal) }
  const known = pull.isOwn ? await written.read(branch) : undefined
  return { ...pull, head, body: fromPlain(pull.body, pull.title, known) }
}

async function poll(host: Host, number: number, etag: string | null, signal: AbortSignal): Promise<Polled> {
  const { client, path, asked } = host.bitbucket
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}`, etag }, signal)
  if (isStatus(reply, 304)) return { kind: 'unchanged' }
  if (isStatus(reply, 404)) {
    await assertVisible(placeOf(host.bitbucket), asked.read, signal)
    return { kind: 'gone' }
  }
  const row = parseReply(reply, pullSchema, asked.read)
  const pull = await complete(host, toHostedPull(row, host.bitbucket.place), signal)
  return {
    kind: 'pull',
    pull,
    etag: reply.kind === 'response' ? reply.etag : null,
    comments: null,
    shown: opinionsIn(row, pull.link),
  }
}

async function listByBranch(host: Host, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const found = await listPulls(host.bitbucket, branch, { signal })
  const pulls: HostedPull[] = []
  for (const pull of found) pulls.push(await complete(host, pull, signal))
  return pulls
}

/**
 * Where a pull request of the two branches is open, Bitbucket gives it the new title and description, and reports that one
 * was created. So this looks first: people may have written into it.
 */
async function create(host: Host, pull: NewPull, signal: AbortSignal): Promise<Created> {
  const { bitbucket, written } = host
  const { client, path, place, asked } = bitbucket
  const open = await listPulls(bitbucket, pull.branch, { state: ['OPEN'], signal })
  if (open.some(({ base }) => base === pull.base)) return { kind: 'exists' }
  const { title, draft } = pull
  const { description, jobId, digest } = toPlain(pull.body)
  if (jobId !== undefined) await written.add(pull.branch, { jobId, digests: digestsOf(title, digest) })
  const body = {
    type: 'pullrequest',
    title,
    description,
    draft,
    source: { branch: { name: pull.branch } },
    destination: { branch: { name: pull.base } },
  }
  const reply = await client.ask({ method: 'POST', path: `${path}/pullrequests`, body }, signal)
  const created = parseCreated(reply, pullSchema, (row) => toHostedPull(row, place))
  if (created?.kind === 'created') return { kind: 'created', pull: await complete(host, created.pull, signal) }
  if (created) return created
  if (isStatus(reply, 400, 404)) await refuseMissing(bitbucket, pull, signal)
  throw await explain(placeOf(bitbucket), reply, asked.pullRequests, signal)
}

function digestsOf(title: string | undefined, text: string | undefined): ReadonlySet<string> {
  const titled = title === undefined ? [] : [digestOf(title)]
  return new Set(text === undefined ? titled : [...titled, text])
}

async function refuseMissing(bitbucket: Bitbucket, pull: NewPull, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = bitbucket
  await assertVisible(placeOf(bitbucket), asked.read, signal)
  await refuseMissingBranch(pull, asked.read, async (branch) => {
    const request = { method: 'GET', path: `${path}/refs/branches/${encodePath(branch)}` } as const
    return isStatus(await client.ask(request, signal), 404)
  })
}

async function update(host: Host, number: number, change: PullChange, signal: AbortSignal): Promise<HostedPull> {
  const { bitbucket, written } = host
  const now = await readPull(bitbucket, number, signal)
  const branch = now.source.branch.name
  const plain = change.body === undefined ? undefined : toPlain(change.body)
  const known = await written.read(branch)
  const { body, title } = toHostedPull(now, bitbucket.place)
  if (change.was !== undefined && fromPlain(body, title, known) !== change.was)
    throw editedMeanwhile(bitbucket.asked.read, number)
  const jobId = plain?.jobId ?? known?.jobId
  if (jobId !== undefined) {
    await written.add(branch, { jobId, digests: digestsOf(change.title, plain?.digest) })
  }
  const row = await edit(
    bitbucket,
    now,
    {
      title: change.title,
      description: plain?.description,
      destination: change.base === undefined ? undefined : { branch: { name: change.base } },
      draft: change.draft,
    },
    signal,
  )
  return complete(host, toHostedPull(row, bitbucket.place), signal)
}

/** There is no way back: a declined pull request can't be opened again. Refused when it has ended. */
async function close(bitbucket: Bitbucket, number: number, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = bitbucket
  const reply = await client.ask({ method: 'POST', path: `${path}/pullrequests/${number}/decline` }, signal)
  if (isStatus(reply, 200)) return
  if (isStatus(reply, 400, 409) && (await readPull(bitbucket, number, signal)).state !== 'OPEN') return
  throw await explain(placeOf(bitbucket), reply, asked.pullRequests, signal)
}
