// Pushes one commit to one branch, never by force. `--force-with-lease` alone would overwrite the expected head, so the
// commit must descend from it; the lease is then the compare-and-swap against anyone who pushes at the same moment.
// After any failure the same call may be made again.

import { blockedBranch } from '../../lib/push-rules/blocked-branch.ts'
import { Failure } from '../../lib/failure.ts'
import { readCommit } from './commit-object.ts'
import { type Mirror, git } from '../cache/mirror.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { rulesFailure } from '../../lib/push-rules/rule-violations.ts'
import { isDamage } from '../transport/errors.ts'
import { hostRefusal } from '../transport/refusals.ts'
import { branchRef } from './refname.ts'
import { fetchRefs, listRemote, remoteFailure, runRemote } from '../transport/remote.ts'
import type { Lock } from '../cache/lock.ts'
import { type GitResult, isDone } from '../transport/run.ts'
import type { HistoryFetch } from '../cache/history-fetch.ts'
import type { Oid, Pushed, PushInput, Repository } from '../types.ts'

export const pushFlags: readonly string[] = [
  '--porcelain',
  '--no-verify',
  '--no-follow-tags',
  '--recurse-submodules=no',
  '--no-signed',
  '--no-thin',
]

export type Publishing = Pick<Repository, 'isAncestor'> & {
  readonly mirror: Mirror
  readonly lock: Lock
  /** Waits for the history of the mirror. */
  readonly arrived: HistoryFetch['arrived']
}

export async function pushCommit(publishing: Publishing, input: PushInput, signal: AbortSignal): Promise<Pushed> {
  const { mirror, isAncestor } = publishing
  const ref = branchRef(input.branch)
  await readCommit(mirror, input.commit)
  if (input.expected !== null && !(await isAncestor(input.expected, input.commit, signal))) {
    throw new Failure('branch_conflict', `The commit does not follow the head of ${input.branch}; nothing was pushed.`)
  }
  for (const _attempt of ['first', 'after a race that came to nothing']) {
    const result = await sendRef(publishing, ref, input, signal)
    const outcome = outcomeOf(result, ref)
    if (outcome.kind === 'refused') throw refusal(mirror, result, { ref, reason: outcome.reason })
    const pushed = outcome.kind === 'pushed' ? outcome : await checkBranch(publishing, input, signal)
    if (pushed === null) continue
    if (pushed.kind === 'pushed') await remember(mirror, ref, input.commit)
    return pushed
  }
  throw new Failure('repository_unreachable', `${input.branch} was locked by someone else; try again.`)
}

async function sendRef(publishing: Publishing, ref: string, input: PushInput, signal: AbortSignal): Promise<GitResult> {
  const lease = `--force-with-lease=${ref}:${input.expected ?? ''}`
  const args = ['push', ...pushFlags, lease, '--', null, `${input.commit}:${ref}`]
  return await sendObjects(publishing, args, signal)
}

/**
 * Pushes from the mirror as it is. A host takes commits without history if it has their parents in a branch; if it has not,
 * because the branch was rewritten meanwhile, they are pushed with their history.
 */
export async function sendObjects(
  { mirror, arrived }: Pick<Publishing, 'arrived' | 'mirror'>,
  args: readonly (string | null)[],
  signal: AbortSignal,
): Promise<GitResult> {
  const result = await runRemote(mirror, { args }, signal)
  if (isDone(result) || !/\bshallow\b/.test(result.stdout.toString('utf8') + result.stderr)) return result
  return await runRemote(await arrived(signal), { args }, signal)
}

/** Names the branch in the way. */
const blockers = /'refs\/heads\/([^'\s]{1,300})' exists; cannot create/

type Outcome =
  | { readonly kind: 'pushed' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly reason: string | null }

/** Reads the line `<flag>\t<from>:<to>\t<summary> (<reason>)`. */
function outcomeOf(result: GitResult, ref: string): Outcome {
  const lines = result.stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'))
  const [flag, , summary = ''] = lines.find(([, names = '']) => names.endsWith(`:${ref}`)) ?? []
  if (result.ended === 'exit' && result.code === 0 && flag !== undefined && flag !== '!') return { kind: 'pushed' }
  if (flag !== '!') return { kind: 'refused', reason: null }
  // `a` exists and the push would create `a/b`, or the reverse: not a race, so trying again does not help.
  const isBlocked = blockers.test(result.stderr)
  // How remotes report that someone else was faster. They use the same words for a lock that is held.
  const isRace = /\block\b|already exists|failed to update ref|fetch first|incorrect old value/i.test(summary)
  const isStale = !isBlocked && (summary.startsWith('[rejected]') || isRace)
  return isStale ? { kind: 'stale' } : { kind: 'refused', reason: summary }
}

/** Returns the failure of a push of one ref. */
export function pushRefusal(mirror: Mirror, result: GitResult, ref: string): Failure {
  const outcome = outcomeOf(result, ref)
  return refusal(mirror, result, { ref, reason: outcome.kind === 'refused' ? outcome.reason : null })
}

type Refused = { readonly ref: string; readonly reason: string | null }

function refusal(mirror: Mirror, result: GitResult, { ref, reason }: Refused): Failure {
  if (reason === null) return remoteFailure(mirror, result, 'push')
  const blocker = blockers.exec(result.stderr)?.[1]
  if (blocker !== undefined) return blockedBranch(ref.replace('refs/heads/', ''), sanitise(blocker))
  // The remote could not unpack what this side could not read.
  const own = /unpack|necessary objects/.test(reason) ? remoteFailure(mirror, result, 'push') : null
  if (own !== null && isDamage(own)) return own
  const words = result.stderr
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice(7).trim())
  const said = sanitise([reason.replace('[remote rejected]', ''), ...words].join(' '))
  const byRules = rulesFailure(words.join('\n'))
  if (byRules !== undefined) return byRules
  const { code, message } = hostRefusal([reason, ...words].join('\n')) ?? {
    code: 'forge_refused',
    message: 'The push was refused',
  }
  return new Failure(code, `${message}: ${said}`)
}

/**
 * Decides by the current head of the branch: `pushed` when it contains the commit, otherwise `moved`. Null: the head is
 * the expected one, so the race is over and the push may be repeated.
 */
async function checkBranch(
  { mirror, lock, isAncestor }: Publishing,
  input: PushInput,
  signal: AbortSignal,
): Promise<Pushed | null> {
  const head = (await listRemote(mirror, [input.branch], signal)).branches.get(input.branch) ?? null
  if (head === input.expected) return null
  if (head === null) return { kind: 'moved', head }
  await lock(() => fetchRefs(mirror, [input.branch], signal))
  const contains = await isAncestor(input.commit, head, signal).catch(() => false)
  return contains ? { kind: 'pushed' } : { kind: 'moved', head }
}

/** Sets the mirror's own ref, so that the next fetch has nothing to transfer. A failure here only costs a transfer. */
async function remember(mirror: Mirror, ref: string, commit: Oid): Promise<void> {
  await git(mirror, { args: ['update-ref', ref, commit] }).catch((error: unknown) => {
    mirror.options.log.debug({ ref, reason: String(error) }, 'the pushed ref is not in the mirror yet')
  })
}
