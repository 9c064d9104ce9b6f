// A source: its repository, what the last check found, and its credential.

import { useMutation } from '@tanstack/react-query'
import { checkSource, type Source } from '../../../api/project/sources.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { AccessReport } from '../connect/access.tsx'
import { Card } from '../settings/form.tsx'
import { SourceCredential } from './source-credential.tsx'

type Props = {
  readonly projectId: string
  readonly source: Source
  readonly onAsk: (verb: 'edit' | 'remove') => void
}

export function SourceCard({ projectId, source, onAsk }: Props) {
  const { name, repository, branch, paths, outsidersCommit, releaseStatus, access } = source
  const check = useMutation({ mutationFn: () => checkSource(projectId, source) })
  return (
    <Card title={name} about={<span className="font-mono break-all">{repository}</span>}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          {branch === null ? 'The default branch' : `The branch ${branch}`}
          {paths.length === 0 ? ', all files.' : ', the files '}
          {paths.length > 0 && <span className="font-mono break-all">{paths.join(' ')}</span>}
        </p>
        {outsidersCommit && <p className="text-sm text-muted">People outside of the team commit to it.</p>}
        {releaseStatus && <p className="text-sm text-muted">Releases get a commit status.</p>}
        {access === null ? (
          <p className="text-muted">Not checked since it was changed.</p>
        ) : (
          <>
            <AccessReport
              {...access}
              rights={{ read: access.read }}
              repository={repository}
              base={access.base}
              baseLabel="Branch"
            />
            <p className="text-sm text-muted">
              Checked <RelativeTime at={access.checkedAt} />
              {access.credential === null && ', without a credential'}.
            </p>
          </>
        )}
        {check.isError && <Refused error={check.error} />}
        <SourceCredential projectId={projectId} source={source} />
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={check.isPending} onClick={() => check.mutate()} aria-label={`Check ${name}`}>
            Check
          </Button>
          <Button size="small" onClick={() => onAsk('edit')} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button size="small" onClick={() => onAsk('remove')} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </div>
      </div>
    </Card>
  )
}
