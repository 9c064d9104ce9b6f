// The first fetch of a repository brings the newest commits of its branches only, so that a run can start; their history
// follows beside it:
//
//   empty ──first fetch──► shallow ──begin()──► arriving ──► whole
//                             ▲                    │
//                             └────── failed ◄─────┘   killed, too: a later `begin()` tries again
//
// It takes no lock: git permits other fetches, commits and pushes at the same time, so nothing waits for it except what
// needs it. It changes no ref and removes no object: what a run holds stays, even if the remote no longer has it.

import { abortable } from '../../lib/abortable.ts'
import { Failure } from '../../lib/failure.ts'
import { fetchHistory, listRemote } from '../transport/remote.ts'
import { type Mirror, isMarked, localRefs, readShallow, sweep } from './mirror.ts'

declare const whole: unique symbol
/** A mirror with the whole history of its branches: a commit that it does not contain is not in them. */
export type WholeMirror = Mirror & { readonly [whole]: true }

export interface HistoryFetch {
  /** Fetches the history if it is missing. Its failure is logged; a later call tries again. */
  begin(): void
  /** Returns the mirror if its history is here. */
  present(): Promise<WholeMirror | undefined>
  /** Waits for the history. Throws why it cannot come, such as `repository_too_large`, and the reason of the signal. */
  arrived(signal: AbortSignal): Promise<WholeMirror>
  /** Ends the fetch, and waits for its process. */
  end(): Promise<void>
}

type State = {
  running: Promise<WholeMirror> | null
  isEnded: boolean
  /** How the fetch ended in the mirror of this generation, if it need not be tried again. */
  last: { readonly generation: number; readonly rest: string; readonly refusal: Failure | null }
}

export function createHistoryFetch(mirror: Mirror): HistoryFetch {
  const state: State = { running: null, isEnded: false, last: { generation: -1, rest: '', refusal: null } }

  async function present(): Promise<WholeMirror | undefined> {
    const rest = await readShallow(mirror)
    // A host leaves a rest if it is a shallow copy itself, or lost commits. It has no more.
    const { last } = state
    const isAll = last.generation === mirror.state.generation && last.refusal === null && last.rest === rest
    return rest === '' || isAll ? (mirror as WholeMirror) : undefined
  }

  async function request(): Promise<WholeMirror> {
    const found = await present()
    if (found) return found
    const { generation, refusal } = state.last
    if (refusal !== null && generation === mirror.state.generation) throw refusal
    return await (state.running ?? start())
  }

  function start(): Promise<WholeMirror> {
    if (state.isEnded) throw new Failure('unavailable', 'The repository is closed.')
    const controller = new AbortController()
    const running = bring(controller.signal).finally(() => {
      state.running = null
      mirror.state.arriving = null
    })
    const ended = running.then(ignore, ignore)
    mirror.state.arriving = { abort: (reason) => controller.abort(reason), ended }
    state.running = running
    return running
  }

  async function bring(signal: AbortSignal): Promise<WholeMirror> {
    const { generation } = mirror.state
    try {
      await bringHistory(mirror, signal)
      state.last = { generation, rest: await readShallow(mirror), refusal: null }
      return mirror as WholeMirror
    } catch (error) {
      signal.throwIfAborted()
      // A process that outlived its service may have brought it meanwhile.
      if ((await readShallow(mirror)) === '') return mirror as WholeMirror
      mirror.options.log.warn({ mirror: mirror.gitDir, reason: String(error) }, 'the history could not be fetched')
      const isTooLarge = error instanceof Failure && error.code === 'repository_too_large'
      if (isTooLarge) state.last = { generation, rest: '', refusal: error }
      throw error
    }
  }

  return {
    present,
    arrived: (signal) => abortable(request(), signal),
    begin: () => void request().catch(ignore),
    end: async () => {
      state.isEnded = true
      mirror.state.arriving?.abort(new Failure('unavailable', 'The repository is closed.'))
      await mirror.state.arriving?.ended
    },
  }
}

async function bringHistory(mirror: Mirror, signal: AbortSignal): Promise<void> {
  await sweep(mirror, false)
  if (!(await isMarked(mirror))) throw new Failure('unavailable', 'The mirror is being made again.')
  const local = await localRefs(mirror)
  const { branches } = await listRemote(mirror, [...local.keys()], signal)
  if (branches.size === 0) throw new Failure('repository_empty', 'The repository has none of its branches any more.')
  await fetchHistory(mirror, [...branches.keys()], signal)
}

function ignore(): void {}
