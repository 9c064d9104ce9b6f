// The activity on the pull request of a job: the words of people and checks as plain text, and changes of its state.
// People answer on the forge: each entry leads there.

import { useInfiniteQuery } from '@tanstack/react-query'
import { type Activity, activityQuery } from '../../api/job/activity.ts'
import type { Job } from '../../api/jobs.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Props = { readonly job: Job; readonly projectId: string }

export function ActivityView({ job, projectId }: Props) {
  const found = useInfiniteQuery(activityQuery(projectId, job.id, job.pullRequest?.state === 'open'))
  if (found.isPending) return <Skeleton className="h-40" />
  if (found.isError) return <Refused error={found.error} retry={() => void found.refetch()} />
  const entries = found.data.pages.flatMap(({ activity }) => activity)
  const { notRead = [], callWords = [], lookedAt = null } = found.data.pages.at(-1) ?? {}
  return (
    <>
      {notRead.length > 0 && (
        <p className="mb-3 text-sm text-muted">
          Not shown, because the credential may not read it: {notRead.map((kind) => names[kind]).join(', ')}. The check
          of the credential names the permission.
        </p>
      )}
      {job.pullRequest?.state === 'open' && callWords.length > 0 && <Reply words={callWords} />}
      {entries.length === 0 ? (
        <Empty title="Nothing has happened on a pull request of this job yet">
          Comments, reviews and checks show here within about a minute.
        </Empty>
      ) : (
        <ol aria-label="Activity" className="flex flex-col gap-3">
          {entries.map((entry) => (
            <li key={entry.id} className="rounded-lg border border-line px-4 py-3">
              <Entry entry={entry} />
            </li>
          ))}
        </ol>
      )}
      {lookedAt !== null && job.pullRequest?.state === 'open' && (
        <p className="mt-3 text-sm text-muted">
          Read from the forge <RelativeTime at={lookedAt} />
        </p>
      )}
      {found.hasNextPage && (
        <Button
          size="small"
          className="mt-3"
          busy={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  )
}

function Reply({ words: [first = '', ...more] }: { readonly words: readonly string[] }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-2 text-sm">
      <span>
        To reply on the forge, begin a comment with <code className="font-mono">{first}</code>
        {more.map((word) => (
          <span key={word}>
            {' '}
            or <code className="font-mono">{word}</code>
          </span>
        ))}
        . It is a message to this job if its author may push.
      </span>
      <Copy text={first} of={first} />
    </p>
  )
}

const names: Readonly<Record<Activity['kind'], string>> = {
  comment: 'Comment',
  review: 'Review',
  review_comment: 'Comment on a line',
  check: 'Check',
  status: 'Status',
  state: 'Pull request',
  base: 'New base',
  head: 'New head',
}

const tones: Readonly<Record<string, Tone>> = {
  approved: 'good',
  success: 'good',
  merged: 'accent',
  changes_requested: 'warn',
  failure: 'bad',
  failed: 'bad',
  error: 'bad',
}

function Entry({ entry }: { readonly entry: Activity }) {
  const { kind, author, at, text, path, line, link, state, isDeleted } = entry
  return (
    <article className="flex flex-col gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <span className="font-medium text-text">{names[kind]}</span>
        {state !== null && <Badge tone={tones[state] ?? 'neutral'}>{state.replaceAll('_', ' ')}</Badge>}
        {author.login !== null && <Author author={author} />}
        <RelativeTime at={at} />
        {link !== null && <ExternalLink href={link}>#{entry.pull.number}</ExternalLink>}
      </p>
      {path !== null && (
        <p className="font-mono text-xs break-all text-muted">
          <bdi>{path}</bdi>
          {line !== null && `:${line}`}
        </p>
      )}
      {isDeleted && <p className="text-muted">Deleted on the forge.</p>}
      {text !== '' && <p className="break-words whitespace-pre-wrap">{text}</p>}
    </article>
  )
}

function Author({ author: { login, isBot, mayWrite } }: { readonly author: Activity['author'] }) {
  const words = isBot ? 'bot' : mayWrite === null ? undefined : mayWrite ? 'may write' : 'may not write'
  return (
    <span>
      <bdi>{login}</bdi>
      {words !== undefined && ` (${words})`}
    </span>
  )
}
