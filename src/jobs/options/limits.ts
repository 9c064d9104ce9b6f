// The limits that a job has beside those of its project: budgets of its runs, and the paths that it may change. They only
// narrow. The steps of a run see a project with both, so no step can forget one. Pure.

import type { Budget } from '../../agent/budget/budget.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'

export type JobLimits = {
  /** Each counts if it is smaller than that of the project. */
  readonly budget: Partial<Budget>
  /** Globs; empty: everything that the project allows. */
  readonly scope: readonly string[]
  /** How many redirects a run may add, and that they stay on the site. Undefined: as many as the policy allows. */
  readonly redirects?: number | undefined
}

/** Returns the columns of the job. */
type Columns = Pick<JobRow, 'budget' | 'scope' | 'most_redirects'>

export function limitColumns(limits: JobLimits | undefined): Columns {
  if (limits === undefined) return { budget: null, scope: null, most_redirects: null }
  const { budget, scope, redirects = null } = limits
  return { budget: JSON.stringify(budget), scope: JSON.stringify(scope), most_redirects: redirects }
}

/** Returns the project as the runs of the job see it. */
export function narrowProject<Project extends Pick<ProjectRow, 'budget' | 'path_policy'>>(
  project: Project,
  { budget, scope, most_redirects: redirects }: Columns,
): Project {
  return {
    ...project,
    ...(budget === null ? {} : { budget: narrow(project.budget, budget) }),
    ...(scope === null ? {} : { path_policy: withLimits(project.path_policy, { scope, redirects }) }),
  }
}

function narrow(project: string, job: string): string {
  const [wide, own] = [JSON.parse(project), JSON.parse(job)] as Partial<Budget>[]
  const smaller = Object.entries(own ?? {}).map(([name, value]) => {
    const limit: unknown = Reflect.get(wide ?? {}, name)
    return [name, typeof limit === 'number' ? Math.min(limit, value) : value] as const
  })
  return JSON.stringify({ ...wide, ...Object.fromEntries(smaller) })
}

type Limits = { readonly scope: string; readonly redirects: number | null }

function withLimits(policy: string, { scope, redirects }: Limits): string {
  const more = redirects === null ? {} : { redirects }
  return JSON.stringify({ ...(JSON.parse(policy) as object), scope: JSON.parse(scope) as unknown, ...more })
}
