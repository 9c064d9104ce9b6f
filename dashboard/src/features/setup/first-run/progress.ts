// How far the first run is, from what the service has.

import { useQuery } from '@tanstack/react-query'
import { accessQuery } from '../../../api/connections.ts'
import { newestJobsQuery } from '../../../api/jobs.ts'
import { keysQuery } from '../../../api/keys.ts'
import { builtIn, modelKeysQuery, modelsQuery } from '../../../api/models.ts'
import { type Project, projectsQuery, sitesQuery } from '../../../api/projects.ts'
import { type Done, doneOf } from './steps.ts'

export type Progress = {
  /** The project that the steps are about: the chosen one, or the first. */
  readonly project: Project | undefined
  readonly done: Done
}

const unasked = { rights: {}, problem: null }

type Found = { readonly progress?: Progress; readonly error: unknown }

/**
 * undefined while something is still loading; the error that keeps it so. `asksHost`: the host of the repository is asked
 * about the access, and until it responds the repository does not count as connected.
 */
export function useProgress(chosen: string | undefined, asksHost = false): Found {
  const projects = useQuery(projectsQuery)
  const models = useQuery(modelsQuery)
  const providers = useQuery(modelKeysQuery)
  const keys = useQuery(keysQuery)
  const project = projects.data?.find(({ id }) => id === chosen) ?? projects.data?.[0]
  const enabled = project !== undefined
  const sites = useQuery({ ...sitesQuery(project?.id ?? ''), enabled })
  const jobs = useQuery({ ...newestJobsQuery(project?.id ?? '', undefined), enabled })
  // The page that asks shows the problem; elsewhere the last answer counts.
  const access = useQuery({ ...accessQuery(project?.id ?? ''), enabled: enabled && asksHost })
  const all = [projects, models, providers, keys, ...(enabled ? [sites, jobs] : [])]
  const error = all.find(({ isError }) => isError)?.error ?? null
  if (!projects.data || !models.data || !providers.data || !keys.data) return { error }
  if (enabled && (!sites.data || !jobs.data)) return { error }
  const done = doneOf({
    project,
    access: access.data ?? (asksHost ? unasked : undefined),
    providers: providers.data.length,
    standardModel: models.data.find(({ isDefault }) => isDefault)?.id,
    builtIn,
    keys: keys.data.filter(({ state }) => state === 'active').length,
    sites: sites.data?.length ?? 0,
    jobs: jobs.data?.jobs.length ?? 0,
  })
  return { progress: { project, done }, error: null }
}
