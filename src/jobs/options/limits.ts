// The limits that a job has beside those of its project: budgets of its runs, and the paths that it may change. They only
// narrow. The steps of a run see a project with both, so no step can forget one. Pure.

import type { Budget } from '../../agent/budget/budget.ts'
import type { JobRow, ProjectRow } from '../../postgres/schema.ts'

export type JobLimits = {
  /** Each counts if it is smaller than that of the project. */
  readonly budget: Partial<Budget>
  /** Globs; empty: everything that the project allows. */
  readonly scope: readonly string[]
}

/** Returns the columns of the job. */
export function limitColumns(limits: JobLimits | undefined): Pick<JobRow, 'budget' | 'scope'> {
  if (limits === undefined) return { budget: null, scope: null }
  return { budget: JSON.stringify(limits.budget), scope: JSON.stringify(limits.scope) }
}

/** Returns the project as the runs of the job see it. */
export function narrowProject<Project extends Pick<ProjectRow, 'budget' | 'path_policy'>>(
  project: Project,
  { budget, scope }: Pick<JobRow, 'budget' | 'scope'>,
): Project {
  return {
    ...project,
    ...(budget === null ? {} : { budget: narrow(project.budget, budget) }),
    ...(scope === null ? {} : { path_policy: withScope(project.path_policy, scope) }),
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

function withScope(policy: string, scope: string): string {
  return JSON.stringify({ ...(JSON.parse(policy) as object), scope: JSON.parse(scope) as unknown })
}
