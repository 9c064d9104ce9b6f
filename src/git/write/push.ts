// Publishing one commit on one branch, never by force. `--force-with-lease` alone would force when the lease is right,
// so the commit must descend from the expected head; the lease then is the compare-and-swap against a person who pushes
// at the same moment. Every way to fail may be followed by the same call again.

import { Failure } from '../../lib/failure.ts'
import { readCommit } from './commit.ts'
import { isAncestor } from './merge.ts'
import { type Mirror, git } from '../cache/mirror.ts'
import { isDamage, sanitise } from '../transport/errors.ts'
import { branchRef } from './refname.ts'
import { fetchRefs, listRemote, remoteFailure, runRemote } from '../transport/remote.ts'
import type { Lock } from '../cache/lock.ts'
import type { GitResult } from '../transport/run.ts'
import type { Oid, Pushed, PushInput } from '../types.ts'

export async function pushCommit(mirror: Mirror, lock: Lock, input: PushInput, signal: AbortSignal): Promise<Pushed> {
  const ref = branchRef(input.branch)
  await readCommit(mirror, input.commit)
  if (input.expected !== null && !(await isAncestor(mirror, input.expected, input.commit))) {
    throw new Failure('branch_conflict', `The commit does not follow the head of ${input.branch}; nothing was pushed.`)
  }
  for (const _attempt of ['first', 'after a race that came to nothing']) {
    const result = await sendRef(mirror, ref, input, signal)
    const outcome = outcomeOf(result, ref)
    if (outcome.kind === 'refused') throw refusal(mirror, result, outcome.reason)
    const pushed = outcome.kind === 'pushed' ? outcome : await lookAgain(mirror, lock, input, signal)
    if (pushed === null) continue
    if (pushed.kind === 'pushed') await remember(mirror, ref, input.commit)
    return pushed
  }
  throw new Failure('repository_unreachable', `${input.branch} was locked by somebody else; try again.`)
}

async function sendRef(mirror: Mirror, ref: string, input: PushInput, signal: AbortSignal): Promise<GitResult> {
  const flags = [
    '--porcelain',
    '--no-verify',
    '--no-follow-tags',
    '--recurse-submodules=no',
    '--no-signed',
    '--no-thin',
  ]
  const lease = `--force-with-lease=${ref}:${input.expected ?? ''}`
  const args = ['push', ...flags, lease, '--', null, `${input.commit}:${ref}`]
  return await runRemote(mirror, { args }, signal)
}

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
  // `a` exists and `a/b` is to be made, or the reverse: nobody's race, and no trying again helps.
  const isBlocked = /exists; cannot create/.test(result.stderr)
  // How remotes say that somebody else was faster; the same words as for a lock that is held.
  const isRace = /lock|already exists|failed to update ref|fetch first|incorrect old value/i.test(summary)
  const isStale = !isBlocked && (summary.startsWith('[rejected]') || isRace)
  return isStale ? { kind: 'stale' } : { kind: 'refused', reason: summary }
}

function refusal(mirror: Mirror, result: GitResult, reason: string | null): Failure {
  if (reason === null) return remoteFailure(mirror, result, 'push')
  // What could not be unpacked there may be what could not be read here.
  const own = /unpack|necessary objects/.test(reason) ? remoteFailure(mirror, result, 'push') : null
  if (own !== null && isDamage(own)) return own
  const words = result.stderr
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice(7).trim())
  const said = sanitise([reason.replace('[remote rejected]', ''), ...words].join(' '))
  return new Failure('forge_refused', `The push was refused: ${said}`)
}

/** Where the branch is now; null when it is where it was expected: the race is over and the push may be tried again. */
async function lookAgain(mirror: Mirror, lock: Lock, input: PushInput, signal: AbortSignal): Promise<Pushed | null> {
  const head = (await listRemote(mirror, [input.branch], signal)).branches.get(input.branch) ?? null
  if (head === input.expected) return null
  if (head === null) return { kind: 'moved', head }
  await lock(async () => await fetchRefs(mirror, [input.branch], signal))
  const contains = await isAncestor(mirror, input.commit, head).catch(() => false)
  return contains ? { kind: 'pushed' } : { kind: 'moved', head }
}

/** The mirror's own ref, so that the next fetch has nothing to do. A failure costs no more than that. */
async function remember(mirror: Mirror, ref: string, commit: Oid): Promise<void> {
  await git(mirror, { args: ['update-ref', ref, commit] }).catch((error: unknown) => {
    mirror.options.log.debug({ ref, reason: String(error) }, 'the pushed ref is not in the mirror yet')
  })
}
