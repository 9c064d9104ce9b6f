// The last step: the first job, on the page that starts every job.

import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../../ui/button.tsx'
import type { StepProps } from './step-props.ts'

export function JobStep({ project, isDone }: StepProps) {
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">{isDone ? 'Your first job is there' : 'Start your first job'}</h2>
        <p className="text-muted">
          {isDone
            ? 'That was everything. Jobs, pull requests and visitors are on the start page.'
            : 'Say what should change. The agent edits the pages and opens a pull request, which you review and merge.'}
        </p>
      </div>
      <div>
        <Link
          to={isDone ? '/projects/$projectId/jobs' : '/projects/$projectId/jobs/new'}
          params={{ projectId: project.id }}
          className={buttonStyle({ kind: 'primary' })}
        >
          {isDone ? 'See the jobs' : 'Write the instruction'}
        </Link>
      </div>
    </section>
  )
}
