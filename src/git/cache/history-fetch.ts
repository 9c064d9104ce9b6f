// The first fetch of a repository brings the newest commits of its branches only, so that a run can start; their history
// follows beside it:
//
//   empty ──first fetch──► shallow ──begin()──► arriving ──► whole
//                             ▲                    │
//                             └────── failed ◄─────┘   killed, too: a later `begin()` tries again
//
// The history arrives in a folder beside the mirror (`beside.ts`), so nothing waits for it, and a failure leaves the mirror
// as it was. A kill leaves a mirror that is shallow, or whole. No ref changes and no object goes: what a run holds stays,
// even if the remote no longer has it.

import { abortable } from '../../lib/abortable.ts'
import { Failure } from '../../lib/failure.ts'
import { fetchHistory, listRemote } from '../transport/remote.ts'
import { readShallow, removeBeside, withBeside } from './beside.ts'
import type { Lock } from './lock.ts'
import { type Mirror, localRefs, mirrorBytes, readStamp } from './mirror.ts'

declare const whole: unique symbol
/** A mirror with the whole history of its branches: a commit that it does not contain is not in them. */
export type WholeMirror = Mirror & { readonly [whole]: true }

export type HistoryFetch = {
  /** Fetches the history if it is missing. Its failure is logged; a later call tries again. */
  readonly begin: () => void
  /** Returns the mirror if its history is here. */
  readonly present: () => Promise<WholeMirror | undefined>
  /** Waits for the history. Throws why it cannot come, such as `repository_too_large`, and the reason of the signal. */
  readonly arrived: (signal: AbortSignal) => Promise<WholeMirror>
  /** Ends the fetch, and waits for its process. */
  readonly end: () => Promise<void>
}

type State = {
  running: Promise<WholeMirror> | null
  /** The commits without parents that the host left in the mirror with this stamp: it is a shallow copy itself, or lost commits. */
  rest: { readonly stamp: string; readonly commits: string } | null
  /** The history is larger than the limit, so it is not fetched again. */
  refusal: Failure | null
}

/** `flags` of git that leave out a part of the history. */
export type Bringing = { readonly mirror: Mirror; readonly lock: Lock; readonly flags?: readonly string[] | undefined }

export function createHistoryFetch(bringing: Bringing): HistoryFetch {
  const { mirror } = bringing
  const state: State = { running: null, rest: null, refusal: null }
  const ending = new AbortController()

  async function present(): Promise<WholeMirror | undefined> {
    const commits = await readShallow(mirror.gitDir)
    const { rest } = state
    const isAll = commits === '' || (commits === rest?.commits && rest.stamp === (await readStamp(mirror)))
    return isAll ? (mirror as WholeMirror) : undefined
  }

  async function request(): Promise<WholeMirror> {
    const found = await present()
    if (found) return found
    if (state.refusal !== null) throw state.refusal
    ending.signal.throwIfAborted()
    state.running ??= bring().finally(() => {
      state.running = null
    })
    return await state.running
  }

  async function bring(): Promise<WholeMirror> {
    try {
      const stamp = await bringHistory(bringing, ending.signal)
      state.rest = { stamp, commits: await readShallow(mirror.gitDir) }
      return mirror as WholeMirror
    } catch (error) {
      ending.signal.throwIfAborted()
      mirror.options.log.warn({ mirror: mirror.gitDir, reason: String(error) }, 'the history could not be fetched')
      if (error instanceof Failure && error.code === 'repository_too_large') state.refusal = error
      throw error
    }
  }

  return {
    present,
    arrived: (signal) => abortable(request(), signal),
    begin: () => void request().catch(ignore),
    end: async () => {
      ending.abort(new Failure('unavailable', 'The repository is closed.'))
      await state.running?.catch(ignore)
    },
  }
}

/** Returns the stamp of the mirror that has the history now. */
async function bringHistory({ mirror, lock, flags }: Bringing, signal: AbortSignal): Promise<string> {
  const stamp = await readStamp(mirror)
  if (stamp === undefined) throw replaced()
  await removeBeside(mirror, 'history')
  await withBeside(mirror, { kind: 'history', isPartial: flags !== undefined }, async (beside) => {
    const local = await localRefs(mirror)
    const { branches } = await listRemote(mirror, [...local.keys()], signal)
    if (branches.size === 0) throw new Failure('repository_empty', 'The repository has none of its branches any more.')
    const besideBytes = await mirrorBytes(mirror)
    await fetchHistory(beside.mirror, [...branches.keys()], signal, { flags, besideBytes })
    const adopted = lock(async () => {
      signal.throwIfAborted()
      if ((await readStamp(mirror)) !== stamp) throw replaced()
      await beside.adopt()
    })
    await abortable(adopted, signal)
  })
  return stamp
}

function replaced(): Failure {
  return new Failure('unavailable', 'The mirror is being made again.')
}

function ignore(): void {}
