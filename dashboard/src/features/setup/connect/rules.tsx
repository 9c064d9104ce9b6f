// The rules of the repository that a job would break, each with the setting that helps and a button that applies it.

import { useMutation } from '@tanstack/react-query'
import type { AccessCheck } from '../../../api/connections.ts'
import { type ProjectChange, updateProject } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { say } from '../../../ui/overlay/toast.tsx'

type Props = {
  readonly projectId: string
  readonly rules: AccessCheck['rules']
  /** Judges again. */
  readonly check: () => void
}

export function Rules({ projectId, rules: { refused, unknown }, check }: Props) {
  const apply = useMutation({
    mutationFn: (change: ProjectChange) => updateProject(projectId, change),
    onSuccess: () => {
      say('Saved')
      check()
    },
  })
  if (refused.length === 0 && unknown.length === 0) return null
  return (
    <section aria-label="Rules of the repository" className="flex flex-col gap-2">
      {refused.length > 0 && <p className="text-bad">This repository would refuse what a job pushes:</p>}
      <ul className="flex flex-col gap-2">
        {refused.map(({ rule, remedy, change }) => (
          <li
            key={rule}
            className="flex flex-wrap items-start justify-between gap-2 rounded-md border border-line px-3 py-2"
          >
            <span className="min-w-0 break-words">
              {rule}
              <span className="block text-sm text-muted">{remedy}</span>
            </span>
            {change !== null && (
              <Button size="small" busy={apply.isPending} onClick={() => apply.mutate(change)}>
                Apply
              </Button>
            )}
          </li>
        ))}
      </ul>
      {unknown.length > 0 && <p className="text-sm text-muted">Only a push can judge: {unknown.join('; ')}.</p>}
      {apply.isError && <Refused error={apply.error} />}
    </section>
  )
}
