// Pages before and after a merge over HTTP: finds the merge and its pages in src/jobs, and counts in src/analytics.

import { normalisePath } from '../../../analytics/collect/path.ts'
import { readEffect } from '../../../analytics/effect/effect.ts'
import type { PullResponse } from '../../../forge/own/response.ts'
import { findChangedPages, findMergedPull } from '../../../jobs/pulls/merged.ts'
import { invalidInput } from '../../../lib/failure.ts'
import type { Project } from '../../../projects/projects.ts'
import type { App, AppDeps } from '../../context.ts'
import { findProject } from '../../request/auth.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { type EffectResponse, getEffectRoute } from './effect-contract.ts'
import { callerOf, type ExportContext } from './export-response.ts'

const notMerged = {
  pullRequest: null,
  mergedOn: null,
  days: 0,
  needs: null,
  note: 'The pull request of the job is not merged.',
  before: null,
  after: null,
  pages: [],
  pagesLeftOut: 0,
} as const

export function addEffectRoute(app: App, deps: AppDeps, { limit, turnOfLong }: ExportContext): void {
  app.use('/v1/analytics/:projectId/effect', findProject(deps.projects))
  app.openapi(getEffectRoute, async (c) => {
    c.header('Cache-Control', 'no-store')
    const project = c.get('project')
    const { job, path } = c.req.valid('query')
    const paths = path === undefined ? undefined : [toPath(path)]
    const { signal } = c.req.raw
    const read = async () => {
      await turnOfLong()
      const work = () => readResponse(deps, { project, job, paths }, signal)
      return (await limit.spend(callerOf(c), work, signal)).result
    }
    return c.json(await withRateLimitHeaders(c, () => limit.read(callerOf(c)), read), 200)
  })
}

type Asked = {
  readonly project: Project
  readonly job: string
  /** Undefined: those that the pull request changed. */
  readonly paths: readonly string[] | undefined
}

async function readResponse(deps: AppDeps, asked: Asked, signal: AbortSignal): Promise<EffectResponse> {
  const { project, job } = asked
  const pull = await findMergedPull(deps.pulls, project.id, job)
  if (!pull) return { ...notMerged, timeZone: project.timeZone }
  const { number, title, mergedAt } = pull
  const paths = asked.paths ?? (await changedPaths(deps, project.id, pull))
  const effect = await readEffect(deps.analytics, { project, mergedAt: new Date(mergedAt), paths }, signal)
  const response = { pullRequest: { number, title, mergedAt }, ...effect }
  return paths.length === 0 ? { ...response, note: unknownPages, needs: null } : response
}

async function changedPaths(deps: AppDeps, projectId: string, pull: PullResponse): Promise<readonly string[]> {
  const addresses = await findChangedPages(deps, projectId, pull)
  return [...new Set(addresses.flatMap((address) => normalisePath(address) ?? []))]
}

const unknownPages =
  'The pull request changed no page whose path the configuration of the site tells. Ask for a page by its path.'

function toPath(path: string): string {
  const normal = normalisePath(path)
  if (normal === undefined) throw invalidInput('#/query/path', 'is too long for the path of a page')
  return normal
}
