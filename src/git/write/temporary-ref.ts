// Pushes a commit to a ref that is not a branch, from which a host can create its own commit, and deletes that ref. Such a
// ref starts no CI, and nothing else uses it, so it is overwritten without a check. Both functions may be called again
// after any failure.

import { Failure } from '../../lib/failure.ts'
import type { Mirror } from '../cache/mirror.ts'
import { runRemote } from '../transport/remote.ts'
import { isDone } from '../transport/run.ts'
import type { PushedObject } from '../types.ts'
import { readCommit } from './commit-object.ts'
import { type Publishing, pushFlags, pushRefusal, sendObjects } from './push.ts'

/** Throws `repository_unauthorized`, `forge_refused` and the other failures of a push. */
export async function pushObject(
  publishing: Pick<Publishing, 'arrived' | 'mirror'>,
  input: PushedObject,
  signal: AbortSignal,
): Promise<void> {
  const { mirror } = publishing
  checkRef(input.ref)
  await readCommit(mirror, input.commit)
  const args = ['push', ...pushFlags, '--force', '--', null, `${input.commit}:${input.ref}`]
  const result = await sendObjects(publishing, args, signal)
  if (!isDone(result)) throw pushRefusal(mirror, result, input.ref)
}

/** Succeeds if the ref does not exist. */
export async function deleteRef(mirror: Mirror, ref: string, signal: AbortSignal): Promise<void> {
  checkRef(ref)
  const result = await runRemote(mirror, { args: ['push', ...pushFlags, '--', null, `:${ref}`] }, signal)
  if (result.ended === 'exit' && result.code === 0) return
  if (/remote ref does not exist/.test(result.stderr)) return
  throw pushRefusal(mirror, result, ref)
}

function checkRef(ref: string): void {
  if (/^refs\/docent\/[A-Za-z0-9_-]{1,100}$/.test(ref)) return
  throw new Failure('internal', 'A temporary ref is refs/docent/ and a plain name.')
}
