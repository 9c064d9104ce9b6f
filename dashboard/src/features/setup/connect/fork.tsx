// The fork that jobs push to when the credential may not push to the repository itself: made here, and left here.

import { useMutation } from '@tanstack/react-query'
import type { AccessCheck } from '../../../api/connections.ts'
import { leaveFork, makeFork, type Project } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { offersFork } from './host.ts'

type Props = { readonly project: Project; readonly access: AccessCheck }

export function Fork({ project, access }: Props) {
  const change = useMutation({
    mutationFn: () => (project.fork === null ? makeFork(project.id) : leaveFork(project.id)),
    onSuccess: () => say(project.fork === null ? 'Jobs push to the fork now' : 'Jobs push to the repository now'),
  })
  if (project.fork === null && !offersFork(access)) return null
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3 py-2">
      <p className="text-sm text-muted">
        {project.fork === null
          ? 'Without the right to push, jobs can work in a fork of the account: branches are pushed there, and pull requests are opened from it. Checks that need secrets of the repository do not run on them.'
          : `Jobs push to the fork ${project.fork}, and open pull requests from it.`}
      </p>
      {change.isError && <Refused error={change.error} />}
      <div>
        <Button size="small" busy={change.isPending} onClick={() => change.mutate()}>
          {project.fork !== null ? 'Leave the fork' : change.isPending ? 'Making the fork …' : 'Work in a fork'}
        </Button>
      </div>
    </div>
  )
}
