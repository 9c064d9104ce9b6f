// The step of the API key: created with a click, shown once, with the request that starts a first job filled in.

import { useMutation } from '@tanstack/react-query'
import { prefix } from '../../../base.ts'
import { createKey } from '../../../api/keys.ts'
import { queries } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyBlock } from '../../../ui/copy.tsx'
import { Refused } from '../../../ui/notice.tsx'
import type { StepProps } from './step-props.ts'

const lifetimeMs = 90 * 86_400_000

export function KeyStep({ project, isDone, onNext }: StepProps) {
  const create = useMutation({
    mutationFn: () =>
      createKey({
        name: 'First key',
        scope: 'write',
        projectIds: [project.id],
        allowedAddresses: null,
        expiresAt: new Date(Date.now() + lifetimeMs).toISOString(),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">Create an API key</h2>
        <p className="text-muted">
          For scripts, CI and servers that create jobs or report page views. It may write to {project.name}, and expires
          in 90 days.
        </p>
      </div>
      {isDone && !create.isSuccess && <p className="text-muted">There is a key already. A key is shown once only.</p>}
      {create.isError && <Refused error={create.error} />}
      {create.isSuccess ? (
        <>
          <div>
            <p className="mb-1 text-sm font-medium">Your key, shown only now</p>
            <CopyBlock name="The key" text={create.data.key} />
          </div>
          <div>
            <p className="mb-1 text-sm font-medium">A first job with it</p>
            <CopyBlock name="A request that creates a job" text={firstJob(project.id, create.data.key)} />
          </div>
          <div>
            <Button kind="primary" onClick={onNext}>
              I have copied it
            </Button>
          </div>
        </>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button kind={isDone ? 'plain' : 'primary'} busy={create.isPending} onClick={() => create.mutate()}>
            {isDone ? 'Create another key' : 'Create a key'}
          </Button>
          {isDone && (
            <Button kind="primary" onClick={onNext}>
              Continue
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

function firstJob(projectId: string, key: string): string {
  const address = `${location.origin}${prefix}v2/agent/${projectId}/job`
  return [
    `curl ${address} \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"prompt": "Fix the broken links"}'`,
  ].join('\n')
}
