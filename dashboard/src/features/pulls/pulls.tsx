// The pull requests of a project, open ones first. Those on a forge lead there.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type Pull, pullsQuery, type PullState } from '../../api/pulls.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/form/select.tsx'
import { forges, PullBadge } from './state.tsx'

const from = '/shell/projects/$projectId/pulls'

const filters = [
  { value: 'open', label: 'Open' },
  { value: 'merged', label: 'Merged' },
  { value: 'closed', label: 'Closed' },
] as const
/** Older ones are on the command line and in the API. */
const mostShown = 200

export function Pulls() {
  const { projectId } = useParams({ from })
  const { state = 'open' } = useSearch({ from })
  const navigate = useNavigate()
  const pulls = useQuery(pullsQuery(projectId, state))
  const filter = (value: PullState) =>
    void navigate({ to: '.', search: value === 'open' ? {} : { state: value }, replace: true })
  return (
    <>
      <PageHead
        title="Pull requests"
        actions={<Select name="State" value={state} options={filters} onChange={filter} className="w-36" />}
      />
      {pulls.isPending && <Skeleton className="h-64" />}
      {pulls.isError && <Refused error={pulls.error} retry={() => void pulls.refetch()} />}
      {pulls.isSuccess && pulls.data.length === 0 && <NoPulls state={state} projectId={projectId} />}
      {pulls.isSuccess && pulls.data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {pulls.data.slice(0, mostShown).map((pull) => (
            <li key={`${pull.forge} ${pull.number}`}>
              <Item pull={pull} projectId={projectId} />
            </li>
          ))}
        </ul>
      )}
      {pulls.isSuccess && pulls.data.length > mostShown && (
        <p className="mt-3 text-sm text-muted">
          The newest {mostShown} of {pulls.data.length}. <code className="font-mono">docent pull list</code> prints all.
        </p>
      )}
    </>
  )
}

function NoPulls({ state, projectId }: { readonly state: PullState; readonly projectId: string }) {
  const action = (
    <Link to="/projects/$projectId/jobs/new" params={{ projectId }} className={buttonStyle({ kind: 'primary' })}>
      New job
    </Link>
  )
  if (state !== 'open') return <Empty title={`There is no ${state} pull request`} />
  return (
    <Empty title="There is no open pull request" action={action}>
      A job that changes files opens one. You read the change here, comment on it, and merge it.
    </Empty>
  )
}

function Item({ pull, projectId }: { readonly pull: Pull; readonly projectId: string }) {
  const style = 'flex items-center gap-3 px-3 py-2.5 hover:bg-sunken focus-visible:-outline-offset-2'
  const content = (
    <>
      <span className="w-20 shrink-0">
        <PullBadge pull={pull} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{pull.title}</span>
        <span className="block truncate text-sm text-muted">
          #{pull.number} · {pull.branch} → {pull.base}
        </span>
      </span>
      <span className="shrink-0 text-right text-sm text-muted max-sm:hidden">
        {pull.forge !== 'docent' && <span className="block">On {forges[pull.forge]} ↗</span>}
        <RelativeTime at={pull.updatedAt} />
      </span>
    </>
  )
  if (pull.forge !== 'docent')
    return (
      <a href={pull.link} className={style} rel="noreferrer">
        {content}
      </a>
    )
  return (
    <Link to="/projects/$projectId/pulls/$number" params={{ projectId, number: String(pull.number) }} className={style}>
      {content}
    </Link>
  )
}
