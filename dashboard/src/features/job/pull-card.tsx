// The pull request of a job: its state, whether its base has moved on, bringing the branch up to date, and the merge by Docent.

import { useMutation, useQuery } from '@tanstack/react-query'
import { pullStates } from '../../api/job/status.ts'
import type { Job } from '../../api/jobs.ts'
import { type PullNow, pullQuery, updatePull } from '../../api/pulls.ts'
import { queries } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Refused } from '../../ui/notice.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { say } from '../../ui/overlay/toast.tsx'

type Pull = NonNullable<Job['pullRequest']>
type Props = { readonly pull: Pull; readonly projectId: string; readonly mayWrite: boolean }

export function PullCard({ pull, projectId, mayWrite }: Props) {
  const now = useQuery({ ...pullQuery(projectId, pull.number), enabled: pull.state === 'open' })
  const { words, tone } = pullStates[pull.state]
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <a href={pull.url} className="text-accent underline">
          #{pull.number}
        </a>
        <Badge tone={tone}>{pull.draft && pull.state === 'open' ? 'Draft' : words}</Badge>
      </p>
      {pull.mergedAt !== null && (
        <p className="text-muted">
          Merged <RelativeTime at={pull.mergedAt} />
        </p>
      )}
      {now.data && <Freshness pull={now.data} projectId={projectId} mayWrite={mayWrite} />}
      {now.data?.checkError && <p className="text-bad">{now.data.checkError.message}</p>}
    </div>
  )
}

function Freshness({ pull, projectId, mayWrite }: Omit<Props, 'pull'> & { readonly pull: PullNow }) {
  const { number, base, behind } = pull
  const update = useMutation({
    mutationFn: () => updatePull(projectId, number),
    onSuccess: (now) => {
      say('The branch is up to date')
      queries.setQueryData(pullQuery(projectId, number).queryKey, now)
    },
  })
  if (behind === null) return null
  if (behind.commits === 0) return <p className="text-muted">Up to date with {base}</p>
  const { conflicts } = behind
  return (
    <>
      <p>
        {behind.commits} {behind.commits === 1 ? 'commit' : 'commits'} behind {base}
      </p>
      {conflicts.length > 0 && (
        <div className="text-bad">
          Conflicts in:
          <ul className="list-inside list-disc font-mono text-xs break-all">
            {conflicts.slice(0, 10).map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
          {conflicts.length > 10 && `and ${conflicts.length - 10} more files`}
        </div>
      )}
      {mayWrite && conflicts.length === 0 && (
        <Button size="small" className="w-fit" busy={update.isPending} onClick={() => update.mutate()}>
          Update the branch
        </Button>
      )}
      {update.isError && <Refused error={update.error} />}
    </>
  )
}

export function Merging({ merging }: { readonly merging: NonNullable<Job['merging']> }) {
  const { state, askedAt, obstacles } = merging
  if (state === 'merged') return 'Docent merged it.'
  if (state === 'asked') {
    return <>Docent asked for it {askedAt !== null && <RelativeTime at={askedAt} />}; the forge does not show it yet.</>
  }
  return (
    <>
      Docent merges it when nothing needs a person. It waits:
      <ul className="list-inside list-disc break-words">
        {obstacles.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
    </>
  )
}

/** The checks of the forge that failed on a commit of the job, and who sees to them. */
export function ForgeChecks({ checks }: { readonly checks: NonNullable<Job['forgeChecks']> }) {
  const { commit, at, reason, failed } = checks
  return (
    <>
      <span className="font-mono text-xs">{commit.slice(0, 10)}</span>, <RelativeTime at={at} />:
      <ul className="list-inside list-disc break-words">
        {failed.map(({ name, link, hasLog }, index) => (
          // eslint-disable-next-line no-array-index-key -- two checks may have one name
          <li key={index}>
            {link === null ? name : <ExternalLink href={link}>{name}</ExternalLink>}
            {reason === null && !hasLog && <span className="text-muted"> (its log was not read)</span>}
          </li>
        ))}
      </ul>
      {reason ?? 'The agent got them in a message.'}
    </>
  )
}
