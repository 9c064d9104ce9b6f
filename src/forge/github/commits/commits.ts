// Creates commits that GitHub signs: those that a GitHub App creates over the API without an author are shown as Verified.
// GitHub sets the date and therefore the id, so a step that runs again recognises its own commit by parent, tree and the
// trailers of the run. docs/decisions has the reasons. Sets statuses of commits, too.

import { z } from 'zod'
import { blockedBranch, branchesAbove } from '../../../lib/push-rules/blocked-branch.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Reply } from '../../client.ts'
import { sendStatus } from '../../statuses/send.ts'
import type { CommitStatus } from '../../statuses/status.ts'
import { failureOf, outcomeOf } from '../../errors.ts'
import type { HostCommits, Published, PublishInput, Verification } from '../../host.ts'
import { parseReply } from '../../parse.ts'
import { encodePath } from '../../reply/shapes.ts'
import type { GitHub } from '../github.ts'
import { oidSchema } from '../pull.ts'

const commitSchema = z.object({
  sha: oidSchema,
  message: z.string().max(1_000_000),
  tree: z.object({ sha: oidSchema }),
  parents: z.array(z.object({ sha: oidSchema })),
  verification: z.object({ verified: z.boolean(), reason: z.string().max(100).optional() }).optional(),
})
const refSchema = z.object({ object: z.object({ type: z.string(), sha: oidSchema }) })

type Commit = z.infer<typeof commitSchema>

/** The number of later commits by other people among which the run's own commit is searched. */
const mostAbove = 20

/** Throws the failures of a host. After `forge_unavailable` the same call can be made again. */
export function createGitHubCommits(github: GitHub): HostCommits {
  return { publish: (input, signal) => publish(github, input, signal) }
}

export async function readVerification(github: GitHub, sha: string, signal: AbortSignal): Promise<Verification> {
  const { verification } = await readCommit(github, sha, signal)
  return { isVerified: verification?.verified ?? false, reason: verification?.reason ?? 'unsigned' }
}

/** https://docs.github.com/en/rest/commits/statuses#create-a-commit-status */
export async function setGitHubStatus(
  { client, path, asked }: GitHub,
  { commit, context, state, text, url }: CommitStatus,
  signal: AbortSignal,
): Promise<void> {
  const body = { state, context, description: text, target_url: url }
  const place = { client, path, account: '/user' }
  await sendStatus({ place, asked: asked.statuses }, { path: `${path}/statuses/${commit}`, body }, signal)
}

async function publish(github: GitHub, input: PublishInput, signal: AbortSignal): Promise<Published> {
  const head = await readHead(github, input.branch, signal)
  if (head !== input.expected) return whereItIs(github, input, head, signal)
  const commit = await createCommit(github, input, signal)
  const reply = await github.client.ask(pointTo(github, input, commit.sha), signal)
  if (reply.kind === 'response' && reply.status < 300) return published(commit)
  const now = await readHead(github, input.branch, signal)
  if (now !== input.expected) return whereItIs(github, input, now, signal)
  if (input.expected === null) await refuseBlockedOn(github, input.branch, signal)
  throw notMoved(github, reply)
}

/** GitHub only says that the update of the reference failed, as it does when two requests met. */
async function refuseBlockedOn(github: GitHub, branch: string, signal: AbortSignal): Promise<void> {
  for (const above of branchesAbove(branch)) {
    if ((await readHead(github, above, signal)) !== null) throw blockedBranch(branch, above)
  }
}

/** The branch is not at the expected commit, because an earlier attempt of this run or someone else moved it. */
async function whereItIs(
  github: GitHub,
  input: PublishInput,
  head: string | null,
  signal: AbortSignal,
): Promise<Published> {
  let next = head
  for (let looked = 0; next !== null && next !== input.expected && looked <= mostAbove; looked += 1) {
    const commit: Commit = await readCommit(github, next, signal)
    if (isOurs(commit, input)) return published(commit)
    next = commit.parents[0]?.sha ?? null
  }
  return { kind: 'moved', head }
}

/** Nobody sees a commit without a branch, so a lost response does no harm. */
async function createCommit(
  { client, path, asked }: GitHub,
  input: PublishInput,
  signal: AbortSignal,
): Promise<Commit> {
  const { message, tree, author } = input
  const body = { message, tree, parents: parentsOf(input), ...(author && { author }) }
  const reply = await client.ask({ method: 'POST', path: `${path}/git/commits`, body }, signal)
  if (reply.kind === 'response' && reply.status === 422 && /sha does not exist/i.test(reply.words)) {
    throw new Failure('forge_unavailable', `GitHub does not see the pushed files yet. It says: ${reply.words}`)
  }
  const commit = parseReply(reply, commitSchema, asked.push)
  if (isOurs(commit, input)) return commit
  throw new Failure('forge_refused', 'GitHub created another commit than the one that it was asked for.')
}

/** Never sets `force`, so GitHub refuses an update that would drop commits of the branch. */
function pointTo(github: GitHub, { branch, expected }: PublishInput, sha: string) {
  const { path } = github
  if (expected === null)
    return { method: 'POST', path: `${path}/git/refs`, body: { ref: `refs/heads/${branch}`, sha } } as const
  return { method: 'PATCH', path: `${path}/git/refs/heads/${encodePath(branch)}`, body: { sha, force: false } } as const
}

/** Whether the branch is unchanged, although the response may suggest otherwise. */
function notMoved({ asked }: GitHub, reply: Reply): Failure {
  if (outcomeOf(reply) === undefined) return failureOf(reply, asked.push)
  const words = reply.kind === 'response' ? reply.words : ''
  return new Failure('forge_unavailable', `GitHub shows two states of the branch. It says: ${words}`)
}

async function readHead({ client, path, asked }: GitHub, branch: string, signal: AbortSignal): Promise<string | null> {
  const reply = await client.ask({ method: 'GET', path: `${path}/git/ref/heads/${encodePath(branch)}` }, signal)
  if (reply.kind === 'response' && reply.status === 404) return null
  return parseReply(reply, refSchema, asked.read).object.sha
}

async function readCommit({ client, path, asked }: GitHub, sha: string, signal: AbortSignal): Promise<Commit> {
  return parseReply(
    await client.ask({ method: 'GET', path: `${path}/git/commits/${sha}` }, signal),
    commitSchema,
    asked.read,
  )
}

function isOurs({ tree, parents, message }: Commit, input: PublishInput): boolean {
  const isSame = parents.map(({ sha }) => sha).join() === parentsOf(input).join()
  if (!isSame || tree.sha !== input.tree) return false
  return identityOf(message) === identityOf(input.message)
}

function parentsOf({ parent, merged }: PublishInput): readonly string[] {
  return merged === undefined ? [parent] : [parent, merged]
}

/** The trailers of Docent, which name job and run; without trailers the whole message. */
function identityOf(message: string): string {
  const trailers = message.match(/^Docent-[A-Za-z-]+: .*\S/gm)
  return trailers ? trailers.join('\n') : message.trim()
}

function published({ sha, verification }: Commit): Published {
  return { kind: 'published', commit: sha, isVerified: verification?.verified ?? false }
}
