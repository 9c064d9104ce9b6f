// Answers what readers of a project do now. All who ask the same within five seconds share one answer, so without filters the store
// runs at most one statement for a project in that time, however many ask: no limit of requests is needed.

import type { AnalyticsContext } from '../context.ts'
import { refuseUnknownSites } from '../counts/query/known-sites.ts'
import { versionOf } from '../counts/query/version.ts'
import { knownWindows } from '../counts/uniques/windows.ts'
import { countRealtime, planRealtime, type Realtime, type RealtimePlan, type RealtimeQuestion } from './count.ts'

export type RealtimeAnswer = {
  /** That of the page views. */
  readonly version: string
  /** The rest that the counts depend on: settings, the day, and the time while a page view is in the last five minutes. */
  readonly asked: string
  /** Throws `invalid_input`, `question_too_large`, `unavailable`. */
  readonly read: () => Promise<Realtime>
}

/** Throws `unavailable`. */
export type AnswerRealtime = (question: RealtimeQuestion) => Promise<RealtimeAnswer>

const stepMs = 5_000

export function createRealtime(context: Pick<AnalyticsContext, 'db' | 'openStore' | 'clock'>): AnswerRealtime {
  let shared = { step: 0, answers: new Map<string, Promise<RealtimeAnswer>>() }
  return (question) => {
    const step = Math.floor(context.clock.now().getTime() / stepMs)
    if (shared.step !== step) shared = { step, answers: new Map() }
    const { answers } = shared
    const plan = planRealtime(question, (step + 1) * stepMs)
    const key = JSON.stringify(plan)
    const known = answers.get(key)
    if (known) return known
    const answer = prepare(context, plan, () => answers.delete(key))
    answers.set(key, answer)
    return answer
  }
}

/** `failed`: the next one who asks tries again. */
async function prepare(
  { db, openStore }: Pick<AnalyticsContext, 'db' | 'openStore'>,
  plan: RealtimePlan,
  failed: () => void,
): Promise<RealtimeAnswer> {
  try {
    const store = await openStore()
    const windows = await knownWindows(store, plan.projectId)
    const isQuiet = windows.every(({ last }) => last < plan.since)
    const { since, until, ...rest } = plan
    // While nobody reads, the answer of before holds, all night.
    const asked = JSON.stringify(isQuiet ? rest : { ...rest, since, until })
    let counts: Promise<Realtime> | undefined
    const count = async () => {
      try {
        await refuseUnknownSites(db, { store, plan })
        return await countRealtime(store, plan)
      } catch (error) {
        failed()
        throw error
      }
    }
    return { version: versionOf(windows), asked, read: () => (counts ??= count()) }
  } catch (error) {
    failed()
    throw error
  }
}
