// The step of the repository: its address, then the access, tried in front of the person.

import type { Project } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Connection } from '../connect/connection.tsx'
import { RepositoryForm } from '../connect/repository-form.tsx'

type Props = {
  readonly project: Project | undefined
  readonly onCreated: (project: Project) => void
  readonly onNext: () => void
  /** Another step was asked for, which needs a project. */
  readonly isNeeded: boolean
}

export function ProjectStep({ project, onCreated, onNext, isNeeded }: Props) {
  if (project === undefined) {
    return (
      <section>
        <h2 className="text-lg font-semibold">Connect a repository</h2>
        <p className="mb-4 text-muted">
          {isNeeded
            ? 'This step needs a project, so begin here.'
            : 'The one that holds your documentation. Docent tries the access and tells you what is missing.'}
        </p>
        <RepositoryForm onCreated={onCreated} />
      </section>
    )
  }
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">{project.name}</h2>
        <p className="font-mono text-sm break-all text-muted">{project.repository}</p>
      </div>
      <Connection project={project} />
      <div>
        <Button kind="primary" onClick={onNext}>
          Continue
        </Button>
      </div>
    </section>
  )
}
