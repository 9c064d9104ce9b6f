// A new project: its repository first, then what the service may do with it, in front of the person.

import { useNavigate } from '@tanstack/react-router'
import { PageHead } from '../../../ui/page.tsx'
import { RepositoryForm } from './repository-form.tsx'

export function NewProject() {
  const navigate = useNavigate()
  return (
    <>
      <PageHead title="New project" about="A project is a documentation repository, its jobs and its readers." />
      <RepositoryForm
        onCreated={({ id }) =>
          void navigate({
            to: '/projects/$projectId/settings/$section',
            params: { projectId: id, section: 'repository' },
          })
        }
      />
    </>
  )
}
