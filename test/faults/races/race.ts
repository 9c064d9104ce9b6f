// One race: a job with follow-ups on a loopback forge, people who act at random points of its runs and between them, lost
// and failing requests, and killed processes. In the end everything is quiet, and one more message settles the job. In a
// campaign nobody acts, and more requests fail, in more ways.

import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../../src/config/environment.ts'
import { openSocketApi } from '../../../src/cli/api/api.ts'
import { parseConfig } from '../../../src/config/config.ts'
import type { EventResponse } from '../../../src/jobs/events/events.ts'
import type { JobResponse } from '../../../src/jobs/response.ts'
import type { CredentialReport } from '../../../src/projects/access/access.ts'
import { connectForge } from '../../support/forge/connected-service.ts'
import type { TestForge } from '../../support/forge/forge.ts'
import type { ChatMessage, ModelServer, Scripted } from '../../support/model-server.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { type Client, connect, validatedFetch } from '../../support/service.ts'
import { promptsIn } from '../arrange.ts'
import { type CrashingService, startProcess } from '../crashing-service.ts'
import { type Faults, hardFaults, softFaults } from './faults.ts'
import { assertTrue } from './oracle.ts'
import { createPeople, type People } from './people.ts'

export type Race = {
  readonly seed: number
  readonly forge: TestForge
  readonly service: Killable
  readonly model: ModelServer
  readonly isCampaign?: boolean
}

export type RaceReport = {
  readonly acts: readonly string[]
  readonly faults: number
  readonly kills: number
  readonly runs: number
  /** How runs ended that a message had to continue. */
  readonly ends: readonly string[]
  /** The rights that the credential lacks by its last check; it has all of them. */
  readonly missing: readonly string[]
}

const messages = 3
/** A message may meet edits of the run before that conflict; the next one does not. */
const mostSettling = 2

export async function runRace(race: Race): Promise<RaceReport> {
  const { forge, service } = race
  const random = createRandom(race.seed)
  forge.push('next', { 'next.md': '# Next\n' })
  const people = createPeople(forge, random)
  try {
    return await execute({ race, random, forge, people, service })
  } catch (error) {
    throw new Error(`seed ${race.seed} on ${forge.kind}: ${people.done.join(', ')}`, { cause: error })
  }
}

type Racing = {
  readonly race: Race
  readonly random: Random
  readonly forge: TestForge
  readonly people: People
  readonly service: Killable
}

async function execute({ race, random, forge, people, service }: Racing): Promise<RaceReport> {
  const isApp = forge.kind === 'github' && race.seed % 2 === 0
  const running = { environment: service.environment, addresses: [service.address()] }
  // The connection to a process that was killed is found to be dead only when it is used.
  await openSocketApi(parseConfig(service.environment))
    .send('GET', '/v1/projects')
    .catch(() => undefined)
  const { client: first, send } = await connectForge({ running }, forge, { isApp })
  const talk = createTalk(first, service)
  const troubles = createTroubles({ race, random, forge, people, service })
  const pages: string[] = []
  const ends: string[] = []
  const say = (jobId: string | undefined) => {
    pages.push(`page-${pages.length}.md`)
    return talk.say(jobId, `race ${pages.length - 1}`)
  }
  troubles.arm()
  const { id } = await say(undefined)
  for (let message = 0; message < messages; message += 1) {
    if (message > 0) {
      troubles.arm()
      await say(id)
    }
    // A message may come while the run before works.
    if (random.chance(0.2)) await say(id)
    const job = await talk.ended(id)
    if (job.outcome !== 'pull_request' || job.error) ends.push(job.error?.code ?? job.outcome ?? '')
    if (!race.isCampaign && random.chance(0.3)) people.act()
  }
  troubles.disarm()
  const settled = await settle(
    () => say(id),
    () => talk.ended(id),
  )
  const client = await talk.client()
  await assertTrue({ forge, people, client, job: settled, pages })
  const { missing } = (await send('GET', '/credential')) as CredentialReport
  return {
    acts: people.done,
    ...troubles.counts,
    runs: pages.length,
    ends: race.isCampaign ? await failuresOf(client, id) : ends,
    missing: missing.map(({ right }) => right),
  }
}

/** The codes of all runs that failed. */
async function failuresOf(client: Client, jobId: string): Promise<readonly string[]> {
  const response = await client.fetch(`/v2/agent/${client.projectId}/job/${jobId}/events.json?limit=1000`)
  const { events } = (await response.json()) as { readonly events: readonly EventResponse[] }
  return events.flatMap((event) => (event.type === 'run_ended' && event.error ? [event.error.code] : []))
}

/** Each takes two minutes. */
const mostEndings = 4

async function settle(say: () => Promise<unknown>, ended: () => Promise<JobResponse>): Promise<JobResponse> {
  let job: JobResponse | undefined
  for (let tries = 0; tries < mostSettling; tries += 1) {
    await say()
    job = await ended()
    if (job.status === 'completed' && job.outcome === 'pull_request') return job
  }
  throw new Error(`the job does not settle: ${JSON.stringify([job?.status, job?.outcome, job?.error])}`)
}

/** At two points of a run, by the number of requests since it was armed, people act; at some, requests fail or the process dies. */
function createTroubles({ race: { model, isCampaign = false }, random, forge, people, service }: Racing) {
  const faults: Faults = isCampaign ? hardFaults : softFaults
  const counts = { faults: 0, kills: 0 }
  const state = { isArmed: false, seen: 0, acts: new Set<number>(), killAt: 0, faultsLeft: 0 }
  const passed = (isEdit = false) => {
    if (!state.isArmed) return
    state.seen += 1
    if (state.acts.has(state.seen)) people.act(isEdit)
    if (state.seen === state.killAt) {
      counts.kills += 1
      service.restart()
    }
  }
  model.script = (conversation) => {
    passed()
    return answer(conversation)
  }
  forge.fault = ({ method, route }) => {
    passed(['PATCH', 'PUT'].includes(method) && /pull|merge_requests/.test(route))
    if (!state.isArmed || state.faultsLeft === 0 || !random.chance(faults.share)) return undefined
    state.faultsLeft -= 1
    counts.faults += 1
    return random.pick(faults.kinds)
  }
  return {
    counts,
    arm: () => {
      const acts = new Set(isCampaign ? [] : [1 + random.int(30), 1 + random.int(30)])
      const killAt = random.chance(0.3) ? 1 + random.int(30) : 0
      Object.assign(state, { isArmed: true, seen: 0, acts, killAt, faultsLeft: faults.most })
    },
    disarm: () => void (state.isArmed = false),
  }
}

/** `race 3` writes a page and changes a line of the shared one. */
function answer(conversation: readonly ChatMessage[]): Scripted {
  const calls = conversation.flatMap(({ tool_calls: made = [] }) => made.map((call) => call.function.arguments))
  const wanted = promptsIn(conversation).flatMap((prompt) => {
    const at = Number(prompt.split(' ')[1])
    const edits = [{ oldText: `Line ${at}.`, newText: `Job ${at}.` }]
    return [
      { name: 'write_file', input: { path: `page-${at}.md`, content: `page ${at}\n` } },
      { name: 'edit_file', input: { path: 'shared.md', edits } },
    ]
  })
  const next = wanted.find(({ input }) => !calls.includes(JSON.stringify(input)))
  return { calls: [next ?? { name: 'finish', input: { title: 'Pages', summary: 'New pages.' } }] }
}

export type Killable = Awaited<ReturnType<typeof startKillable>>

export async function startKillable(environment: Environment) {
  let current: Promise<CrashingService> = startProcess(environment)
  let address = (await current).address
  return {
    environment,
    address: () => address,
    /** Kills the process at once, and starts the next one. */
    restart: () => {
      const dying = current
      current = dying.then(async (one) => {
        await one.kill()
        const next = await startProcess(environment)
        address = next.address
        return next
      })
    },
    /** Resolves when the present process listens. */
    present: () => current,
    kill: async () => (await current).kill(),
  }
}

/** A client that finds the process that is there, and sends again what was cut. */
function createTalk({ projectId, key }: Client, service: Killable) {
  const client = async () => {
    const { address } = await service.present()
    return connect({ addresses: [address], projectId, key, send: await validatedFetch([address]) })
  }
  const again = async <T>(work: (present: Client) => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work(await client())
      } catch (error) {
        const isCut = error instanceof TypeError || /answered 503/.test(String(error))
        if (!isCut) throw error
        await delay(50)
      }
    }
  }
  return {
    client,
    say: (jobId: string | undefined, prompt: string): Promise<JobResponse> => {
      const path = `/v2/agent/${projectId}/job${jobId === undefined ? '' : `/${jobId}/message`}`
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': prompt.replace(' ', '-') }
      return again(async (present) => {
        const response = await present.fetch(path, { method: 'POST', body: JSON.stringify({ prompt }), headers })
        if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
        return (await response.json()) as JobResponse
      })
    },
    /** A run that met several faults and kills waits for minutes between its tries. */
    ended: async (jobId: string): Promise<JobResponse> => {
      for (let tries = 0; ; tries += 1) {
        try {
          return await again((present) => present.ended(jobId))
        } catch (error) {
          if (tries === mostEndings || !String(error).includes('is still active')) throw error
        }
      }
    },
  }
}
