// The branch, the message and the author of the commit that a run pushes. Before the run, with the title of a run that has
// described nothing yet. Pure.

import type { Finish } from '../../agent/tool.ts'
import { type Publication, publicationOf } from '../../forge/publication.ts'
import { commitPartsOf } from '../pulls/description.ts'
import type { RunPart } from './context.ts'

type Described = {
  readonly branch: string
  /** Undefined: the model has not worked yet. */
  readonly finish?: Finish
  readonly coAuthors?: readonly string[]
}

export function publicationOfRun(
  { deps, job, project, run }: RunPart<'job' | 'project' | 'run', 'git'>,
  { branch, finish, coAuthors = [] }: Described,
): Publication {
  const trailers = [`Docent-Job: ${job.id}/${run.number}`, ...coAuthors]
  return publicationOf({
    project,
    service: deps.git.identity,
    branch,
    commit: { ...commitPartsOf(finish), trailers },
  })
}
