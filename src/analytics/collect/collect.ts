// Passes page views through the stages below and stores them. `admit` drops a view at the first reason against it. The
// caller has already authenticated the sender.
//   admit → identify → classify → verify → group commit

import { hash, randomFillSync } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { type AdmissionRules, admit, type Page } from './admit.ts'
import { type Client, listDate } from '../classify/classify.ts'
import type { Verify } from '../classify/verify/verify.ts'
import type { GroupCommit, NewPageView } from './group-commit.ts'
import { firstNumber, type Identify, type Identity, noVisitor } from './identify.ts'
import { dimensionsOf } from '../dimensions/describe.ts'
import type { CountryOf } from '../dimensions/country.ts'
import type { ViewDimension } from '../dimensions/view-dimensions.ts'
import { emptyForStrict } from './strict.ts'
import type { DropReason, Label, PageViewSource, RawPageView } from '../page-view.ts'

/** The project settings that collecting needs. */
export type CollectingProject = {
  readonly id: string
  readonly timeZone: string
  readonly privacy: AdmissionRules['privacy']
  readonly visitorWindow: 'day' | 'week' | 'month' | 'never'
  readonly keptSince: AdmissionRules['keptSince']
  readonly hosts: AdmissionRules['hosts']
  readonly hostsWithOptOut: AdmissionRules['hostsWithOptOut']
  /** The ids of sites, by the hosts that one site alone has. */
  readonly siteOfHost: ReadonlyMap<string, string>
  readonly dimensionsOff: ReadonlySet<ViewDimension>
}

export type Dropped = { readonly index: number; readonly reason: DropReason }

/** `accepted` also counts page views that an earlier call stored under the same id. */
export type Collected = { readonly accepted: number; readonly dropped: readonly Dropped[] }

export type Collect = (
  project: CollectingProject,
  views: readonly RawPageView[],
  /** The group of the import that sent these page views; undefined for live traffic. */
  importGroup?: string,
) => Promise<Collected>

type Deps = {
  readonly clock: Clock
  readonly classify: (client: Client) => Label
  readonly identify: Identify
  readonly verify: Verify
  readonly countryOf: CountryOf
  readonly commit: GroupCommit
  readonly countViews: (source: PageViewSource, outcome: DropReason | 'accepted', views: number) => void
}

/** For the type checker only: there is an identity for each view. */
const nobody: Identity = { visitor: noVisitor, saltWindow: '' }

type AdmittedView = { readonly view: RawPageView; readonly page: Page }

/** Rejects with `unavailable` when the store cannot take the page views. */
export function createCollect(deps: Deps): Collect {
  const judge = createJudge(deps)
  // Not `async`, which would keep what was judged, five objects for each page view, until the store has answered.
  return (...batch) => judge(...batch).then((judged) => store(deps, judged))
}

type Judged = {
  readonly pageViews: readonly NewPageView[]
  readonly dropped: readonly (Dropped & Pick<RawPageView, 'source'>)[]
}

async function store({ commit, countViews }: Deps, { pageViews, dropped }: Judged): Promise<Collected> {
  await commit.append(pageViews)
  for (const [source, some] of Map.groupBy(pageViews, (view) => view.source)) {
    countViews(source, 'accepted', some.length)
  }
  for (const { source, reason } of dropped) countViews(source, reason, 1)
  return { accepted: pageViews.length, dropped }
}

function createJudge(deps: Deps): (...batch: Parameters<Collect>) => Promise<Judged> {
  return async (project, views, importGroup) => {
    const now = deps.clock.now().getTime()
    const { admitted, dropped } = admitAll(views, { ...project, now })
    const identities = await deps.identify(
      {
        projectId: project.id,
        timeZone: project.timeZone,
        privacy: project.privacy,
        visitorWindow: project.visitorWindow,
      },
      admitted.map(({ view }) => view),
      importGroup,
    )
    const stages = { ...deps, classify: rememberLast(deps.classify) }
    const pageViews = admitted.map((one, at) =>
      toPageView(stages, project, { ...one, identity: identities[at] ?? nobody }),
    )
    return { pageViews: project.privacy === 'strict' ? pageViews.map(emptyForStrict) : pageViews, dropped }
  }
}

function admitAll(views: readonly RawPageView[], rules: AdmissionRules) {
  const admitted: AdmittedView[] = []
  const dropped: Judged['dropped'][number][] = []
  for (const [index, view] of views.entries()) {
    const judged = admit(view, rules)
    if ('page' in judged) admitted.push({ view, page: judged.page })
    else dropped.push({ index, reason: judged.dropped, source: view.source })
  }
  return { admitted, dropped }
}

/** Page views that come together have few user agents, and each of them mostly the same headers: no key must be made. */
function rememberLast(classify: Deps['classify']): Deps['classify'] {
  const last = new Map<string, { readonly client: Client; readonly label: Label }>()
  return (client) => {
    const known = last.get(client.userAgent)
    if (known && isSameForm(known.client, client)) return known.label
    const label = classify(client)
    last.set(client.userAgent, { client, label })
    return label
  }
}

function isSameForm(one: Client, other: Client): boolean {
  const { signals, source, scheme, representation } = one
  if (signals !== other.signals || source !== other.source) return false
  return scheme === other.scheme && representation === other.representation
}

/** Builds the stored page view. Uses the address to verify the operator, and does not store it. */
function toPageView(
  { classify, verify, countryOf }: Deps,
  { id: projectId, siteOfHost, dimensionsOff }: CollectingProject,
  { view, page, identity }: AdmittedView & { readonly identity: Identity },
): NewPageView {
  const { userAgent, signals, source, scheme, history } = view
  const label = history
    ? { category: 'browser' as const, agent: '', operator: '', rule: history.id }
    : classify({ userAgent, signals, source, scheme, representation: page.representation })
  const { country, language, device, browser, os, campaign, title } = dimensionsOf(view, countryOf, dimensionsOff)
  // Written out: copying the objects took five times as long.
  return {
    category: label.category,
    agent: label.agent,
    operator: label.operator,
    rule: label.rule,
    path: page.path,
    representation: page.representation,
    status: page.status,
    isDownload: page.isDownload,
    projectId,
    siteId: view.siteId ?? siteOfHost.get(view.host ?? '') ?? '',
    viewId: view.lineId ?? toViewId(projectId, view.id),
    hasLineId: view.lineId !== undefined,
    isNamed: view.id !== undefined || view.lineId !== undefined,
    otherIds: view.sameAs.length === 0 ? noIds : view.sameAs.map((id) => toViewId(projectId, id)),
    time: view.time,
    source: view.source,
    visitor: identity.visitor,
    saltWindow: identity.saltWindow,
    verified: verify(label, view.address),
    listDate,
    referrer: view.referrer ?? '',
    referrerPath: page.referrerPath,
    country,
    language,
    device,
    browser,
    os,
    campaign,
    title,
    userAgent: view.userAgent,
    signals: view.signals,
  }
}

const noIds: readonly bigint[] = []

/** Hashes the project with the caller's id, so two projects can use the same id. Without an id, returns a random number. */
function toViewId(projectId: string, id: string | undefined): bigint {
  if (id === undefined) return randomId()
  return firstNumber(hash('sha256', `${projectId}\n${id}`, 'binary'), 'little')
}

/** Random numbers that were made together: making one takes as long as making some hundreds. */
const random = new BigUint64Array(512)
const used = { count: random.length }

function randomId(): bigint {
  if (used.count === random.length) {
    randomFillSync(random)
    used.count = 0
  }
  return random[used.count++] ?? 0n
}
