// Facts that explain the numbers of a project: what its days are, how long a visitor is recognised, since when page views
// are kept, and since when there are any.

import type { ProjectSettings } from '../../../projects/settings.ts'
import type { AnalyticsContext } from '../../context.ts'
import { firstDayKept } from '../../retention.ts'
import { dayOf } from '../../zone.ts'
import { countViews, firstDayOf, readWindows } from './version.ts'

type Settings = Pick<
  ProjectSettings,
  'timeZone' | 'visitorWindow' | 'collectionSource' | 'retentionMonths' | 'unverifiedAiAgents'
>

export type About = Settings & {
  readonly name: string
  /** In the project's time zone, `YYYY-MM-DD`. */
  readonly today: string
  readonly firstDay: string
  /** The day of the first stored page view; null: there is no page view. */
  readonly firstPageView: string | null
  /** All that are stored, of any class. */
  readonly pageViews: number
}

type Described = Settings & { readonly id: string; readonly name: string }

/** Throws `unavailable`, and the reason of an aborted `signal`. */
export async function describeStatistics(
  { openStore, clock }: Pick<AnalyticsContext, 'openStore' | 'clock'>,
  project: Described,
  signal: AbortSignal,
): Promise<About> {
  const { id, name, timeZone, visitorWindow, collectionSource, retentionMonths, unverifiedAiAgents } = project
  const now = clock.now().getTime()
  const windows = await readWindows(await openStore(), id, signal)
  const pageViews = countViews(windows)
  const firstPageView = firstDayOf(windows, timeZone)
  const days = { today: dayOf(timeZone, now), firstDay: firstDayKept(project, now), firstPageView }
  return { name, timeZone, visitorWindow, collectionSource, retentionMonths, unverifiedAiAgents, ...days, pageViews }
}
