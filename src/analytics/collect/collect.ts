// The stages that a page view passes on its way into the store; the first reason against it drops it. The caller of
// this module has already checked who sends the page view.
//   admit → classify → identify → group commit

import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { type Admission, admit, type Page } from './admit.ts'
import { type Client, listDate } from '../classify/classify.ts'
import type { Verify } from '../classify/verify/verify.ts'
import type { GroupCommit, NewPageView } from './group-commit.ts'
import type { Identify } from './identify.ts'
import type { DropReason, Label, PageViewSource, RawPageView } from '../page-view.ts'

/** The settings of a project that collecting needs. */
export type CollectingProject = {
  readonly id: string
  readonly timeZone: string
  readonly visitorWindow: 'day' | 'week' | 'month' | 'never'
  readonly keptSince: Admission['keptSince']
  readonly hosts: Admission['hosts']
  readonly hostsWithOptOut: Admission['hostsWithOptOut']
}

export type Dropped = { readonly index: number; readonly reason: DropReason }

/** Accepted page views are stored now, or were stored before. */
export type Collected = { readonly accepted: number; readonly dropped: readonly Dropped[] }

export type Collect = (
  project: CollectingProject,
  views: readonly RawPageView[],
  /** The group of imports that the page views belong to. */
  group?: string,
) => Promise<Collected>

type Deps = {
  readonly clock: Clock
  readonly classify: (client: Client) => Label
  readonly identify: Identify
  readonly verify: Verify
  readonly commit: GroupCommit
  readonly seen: (source: PageViewSource, outcome: DropReason | 'accepted', views: number) => void
}

type Admitted = { readonly view: RawPageView; readonly page: Page }

/** Rejects with `unavailable` when the store cannot take the page views. */
export function createCollect(deps: Deps): Collect {
  return async (project, views, group) => {
    const now = deps.clock.now().getTime()
    const { admitted, dropped } = admitAll(views, { ...project, now })
    const visitors = await deps.identify(
      { projectId: project.id, timeZone: project.timeZone, visitorWindow: project.visitorWindow },
      admitted.map(({ view }) => view),
      group,
    )
    await deps.commit.append(
      admitted.map((one, at) => toPageView(deps, project.id, { ...one, visitor: visitors[at] ?? 0n })),
    )
    for (const [source, some] of Map.groupBy(admitted, ({ view }) => view.source)) {
      deps.seen(source, 'accepted', some.length)
    }
    for (const { index, reason } of dropped) deps.seen(views[index]?.source ?? 'server', reason, 1)
    return { accepted: admitted.length, dropped }
  }
}

function admitAll(views: readonly RawPageView[], rules: Admission) {
  const admitted: Admitted[] = []
  const dropped: Dropped[] = []
  for (const [index, view] of views.entries()) {
    const judged = admit(view, rules)
    if ('page' in judged) admitted.push({ view, page: judged.page })
    else dropped.push({ index, reason: judged.dropped })
  }
  return { admitted, dropped }
}

/**
 * Builds the stored page view. The address is used only here, to compare it with the operator's addresses; no field
 * stores it.
 */
function toPageView(
  { classify, verify }: Deps,
  projectId: string,
  { view, page, visitor }: Admitted & { readonly visitor: bigint },
): NewPageView {
  const label = classify({ ...view, representation: page.representation })
  return {
    ...label,
    ...page,
    projectId,
    siteId: view.siteId ?? '',
    viewId: toViewId(projectId, view.id),
    isNamed: view.id !== undefined,
    time: view.time,
    source: view.source,
    visitor,
    verified: verify(label, view.address),
    listDate,
    referrer: view.referrer ?? '',
    userAgent: view.userAgent,
    signals: view.signals,
  }
}

/** Derives the id from project and caller's id, so the same id in two projects makes two page views. */
function toViewId(projectId: string, id: string | undefined): bigint {
  if (id === undefined) return randomBytes(8).readBigUInt64LE()
  return hash('sha256', `${projectId}\n${id}`, 'buffer').readBigUInt64LE()
}
