// The first fetch of a repository brings the newest commits of its branches only, so that a run can start; their history
// follows beside it:
//
//   empty ──first fetch──► shallow ──begin()──► arriving ──► whole
//                             ▲                    │
//                             └────── failed ◄─────┘   killed, too: a later `begin()` tries again
//
// The history arrives in a folder of its own that borrows the mirror's objects, so nothing waits for it, and a failure
// leaves the mirror as it was. When it is complete, its packs are moved into the mirror, and then the list of commits
// without parents is replaced: a kill between two of these steps leaves a mirror that is shallow, or whole. No ref changes
// and no object goes: what a run holds stays, even if the remote no longer has it.

import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { abortable } from '../../lib/abortable.ts'
import { Failure } from '../../lib/failure.ts'
import { randomString } from '../../lib/id.ts'
import { fetchHistory, listRemote } from '../transport/remote.ts'
import { isDone } from '../transport/run.ts'
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

export function createHistoryFetch(mirror: Mirror, lock: Lock): HistoryFetch {
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
      const stamp = await bringHistory(mirror, lock, ending.signal)
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
async function bringHistory(mirror: Mirror, lock: Lock, signal: AbortSignal): Promise<string> {
  const stamp = await readStamp(mirror)
  if (stamp === undefined) throw replaced()
  await removeLeftovers(mirror)
  const gitDir = `${mirror.gitDir}.history-${randomString('0123456789abcdef', 12)}`
  // Damage that is found in this folder need not be in the mirror.
  const beside = { ...mirror, gitDir, state: { ...mirror.state } }
  try {
    await prepare(mirror, beside)
    const local = await localRefs(mirror)
    const { branches } = await listRemote(mirror, [...local.keys()], signal)
    if (branches.size === 0) throw new Failure('repository_empty', 'The repository has none of its branches any more.')
    await fetchHistory(beside, [...branches.keys()], await mirrorBytes(mirror), signal)
    const adopted = lock(async () => {
      signal.throwIfAborted()
      if ((await readStamp(mirror)) !== stamp) throw replaced()
      await adopt(mirror, beside)
    })
    await abortable(adopted, signal)
    return stamp
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

/** Makes a folder that knows what the mirror has, and where its history ends. */
async function prepare(mirror: Mirror, { gitDir, runner }: Mirror): Promise<void> {
  const made = await runner.run({ args: ['init', '--quiet', '--bare', '--template=', '--', gitDir] })
  if (!isDone(made)) throw new Failure('unavailable', 'git could not make a folder for the history.')
  await mkdir(join(gitDir, 'objects/info'), { recursive: true })
  await writeFile(join(gitDir, 'objects/info/alternates'), `${join(mirror.gitDir, 'objects')}\n`)
  await writeFile(join(gitDir, 'shallow'), await readShallow(mirror.gitDir))
}

/** The caller holds the lock. git finds a pack by its index, which therefore comes last. */
async function adopt(mirror: Mirror, beside: Mirror): Promise<void> {
  const [from, to] = [join(beside.gitDir, 'objects/pack'), join(mirror.gitDir, 'objects/pack')]
  const names = (await readdir(from)).filter((name) => name.startsWith('pack-'))
  const isIndex = (name: string) => name.endsWith('.idx')
  for (const name of [...names.filter((name) => !isIndex(name)), ...names.filter(isIndex)]) {
    await rename(join(from, name), join(to, name))
  }
  const shallow = join(mirror.gitDir, 'shallow')
  if ((await readShallow(beside.gitDir)) === '') await rm(shallow, { force: true })
  else await rename(join(beside.gitDir, 'shallow'), shallow)
}

/** The commits that are here without their parents, as git lists them. */
async function readShallow(gitDir: string): Promise<string> {
  return await readFile(join(gitDir, 'shallow'), 'utf8').catch(() => '')
}

/** Removes what killed processes left. One that outlived its service loses its folder, and ends. */
async function removeLeftovers({ gitDir }: Mirror): Promise<void> {
  const prefix = `${basename(gitDir)}.history-`
  const names = (await readdir(dirname(gitDir))).filter((name) => name.startsWith(prefix))
  for (const name of names) await rm(join(dirname(gitDir), name), { recursive: true, force: true })
}

function replaced(): Failure {
  return new Failure('unavailable', 'The mirror is being made again.')
}

function ignore(): void {}
