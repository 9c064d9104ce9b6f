// An in-memory host of pull requests that loses responses, returns outdated lists and lets two requests race. The seed
// decides which requests fail.

import { setImmediate } from 'node:timers/promises'
import type { ActivityReader } from '../../src/forge/activity/activity.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Created, ForgeHost, ForgeKind, HostedPull, NewPull } from '../../src/forge/host.ts'
import { createRandom } from './random.ts'

export type MemoryHostOptions = {
  readonly kind?: ForgeKind
  /** Whether the host refuses a second open pull request for a branch. */
  readonly isUnique?: boolean
  /** The share of requests that fail, before or after their effect. */
  readonly faults?: number
  /** The share of lists that show an older state. */
  readonly lag?: number
  readonly seed?: number
  readonly headOf?: (branch: string) => string
}

export type MemoryHost = ForgeHost & {
  readonly pulls: HostedPull[]
  /** Every write request, such as `create docent/a`. */
  readonly writes: string[]
  /** Changes a pull request as a person does. */
  change(number: number, change: Partial<HostedPull>): void
}

export function createMemoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const { kind = 'github', isUnique = true, faults = 0, lag = 0, seed = 1, headOf = () => 'head' } = options
  const random = createRandom(seed)
  const pulls: HostedPull[] = []
  const writes: string[] = []
  const older = new Map<string, HostedPull[][]>()

  const remember = (branch: string) => {
    const states = older.get(branch) ?? []
    older.set(branch, [...states, pulls.filter(({ head }) => head.branch === branch)])
  }
  const change = (number: number, given: Partial<HostedPull>) => {
    const at = pulls.findIndex((pull) => pull.number === number)
    const pull = pulls[at]
    if (!pull) throw new Failure('forge_refused', `There is no pull request ${number}.`)
    remember(pull.head.branch)
    return (pulls[at] = { ...pull, ...given })
  }
  const write = async <T>(name: string, effect: () => T): Promise<T> => {
    writes.push(name)
    await setImmediate()
    if (random.chance(faults / 2)) throw random.pick([lost, limited])()
    const result = effect()
    if (random.chance(faults / 2)) throw lost()
    return result
  }
  const insert = async ({ branch, ...pull }: NewPull): Promise<Created> => {
    const isTaken = () => isUnique && pulls.some((one) => one.head.branch === branch && one.state === 'open')
    if (isTaken()) return { kind: 'exists' }
    await setImmediate()
    if (isTaken()) return { kind: 'exists' }
    remember(branch)
    const number = pulls.length + 1
    const given = { mergedAt: null, link: `https://forge.example/${number}`, isOwn: true, isLocked: false }
    const made: HostedPull = { ...pull, ...given, number, state: 'open', head: { branch, commit: headOf(branch) } }
    pulls.push(made)
    return { kind: 'created', pull: made }
  }

  return {
    kind,
    repository: 'forge.example/acme/docs',
    pulls,
    writes,
    change,
    access: notScripted,
    get: async (number) => pulls.find((pull) => pull.number === number),
    poll: notScripted,
    account: 'forge.example ada',
    activity: silentActivity,
    comments: {
      list: () => Promise.reject(new Error('not scripted')),
      create: () => Promise.reject(new Error('not scripted')),
      edit: () => Promise.reject(new Error('not scripted')),
      react: () => Promise.resolve(false),
    },
    countRequests: () => 0,
    setStatus: notScripted,
    listByBranch: async (branch) => {
      await setImmediate()
      if (random.chance(faults)) throw random.pick([lost, limited])()
      const states = older.get(branch) ?? []
      if (states.length > 0 && random.chance(lag)) return states[random.int(states.length)] ?? []
      return pulls.filter(({ head }) => head.branch === branch)
    },
    listOnto: async (base) => pulls.filter((pull) => pull.base === base && pull.state === 'open'),
    create: async (pull) => {
      writes.push(`create ${pull.branch}`)
      await setImmediate()
      if (random.chance(faults / 3)) throw random.pick([lost, limited])()
      if (random.chance(faults / 3)) return { kind: 'unknown_effect' }
      const created = await insert(pull)
      return random.chance(faults / 3) ? { kind: 'unknown_effect' } : created
    },
    update: (number, given) => write(`update ${number} ${Object.keys(given).join()}`, () => change(number, given)),
    close: async (number) => {
      await write(`close ${number}`, () => change(number, { state: 'closed' }))
    },
    mergedPulls: () => Promise.resolve([]),
    addLabels: (number, labels) => write(`label ${number}`, () => labels.filter((label) => label.startsWith('no-'))),
    requestReviewers: (number, names) => write(`ask ${number}`, () => names.filter((name) => name.startsWith('no-'))),
    assign: (number, names) => write(`assign ${number}`, () => names.filter((name) => name.startsWith('no-'))),
    verification: () => Promise.resolve({ isVerified: false, reason: 'unsigned' }),
    setMilestone: (number, title) => write(`milestone ${number}`, () => !title.startsWith('no-')),
    mergeLater: ({ number }) => write(`merge later ${number}`, () => ({ kind: 'set' })),
    merging: { checks: () => notScripted(), read: () => notScripted(), merge: () => notScripted() },
  }
}

function notScripted(): Promise<never> {
  return Promise.reject(new Error('not scripted'))
}

/** Nothing ever happens on the pull requests. */
const silentActivity: ActivityReader = {
  counted: [],
  ofRepository: undefined,
  ofPull: async () => ({ entries: [], marks: {}, off: [] }),
  readAll: async () => [],
  mayWrite: async () => null,
}

/** A clock on which every wait ends at once. */
export function createHastyClock(): Clock {
  const state = { now: 0 }
  return {
    now: () => new Date(state.now),
    sleep: async (ms) => {
      state.now += ms
      await setImmediate()
    },
  }
}

function lost(): Failure {
  return new Failure('forge_unavailable', 'A response was lost.')
}

function limited(): Failure {
  return new Failure('forge_rate_limited', 'It asks to wait.', { retryAfter: 3 })
}
