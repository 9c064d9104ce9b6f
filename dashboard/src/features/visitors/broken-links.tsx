// Below a broken page: where its requests came from, the page that was probably meant, and the way to a job about it.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { may, sessionQuery } from '../../api/people/session.ts'
import { type Asked, type BrokenLink, brokenLinksQuery } from '../../api/visitors.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { Ranking } from '../../ui/ranking.tsx'
import { formatCount, readablePath } from './format.ts'

type Props = { readonly asked: Asked; readonly path: string }

export function BrokenLinks({ asked, path }: Props) {
  const query = useQuery(brokenLinksQuery(asked, path))
  const { data: session } = useQuery(sessionQuery)
  if (query.isPending) return <Skeleton className="h-24" />
  if (query.isError) return <Refused error={query.error} retry={() => void query.refetch()} />
  const { links, hasMore, suggestion } = query.data
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 break-all">
          {suggestion === null ? 'It is not clear which page was meant.' : 'Probably meant: '}
          {suggestion !== null && <b className="font-medium">{readablePath(suggestion)}</b>}
        </p>
        {may(session, 'editor') && (
          <Link
            to="/projects/$projectId/jobs/new"
            params={{ projectId: asked.reader.projectId }}
            search={{ broken: path, ...asked.range }}
            className={buttonStyle({ size: 'small' })}
          >
            Make it a job
          </Link>
        )}
      </div>
      <Ranking
        name={`Links to ${readablePath(path)}`}
        head="Linked from"
        groups={[{ name: '', rows: links }]}
        keyOf={({ from, isPage }) => `${isPage} ${from}`}
        label={(link) => <span className="break-all">{nameOf(link)}</span>}
        columns={[{ head: 'All', value: ({ total }) => formatCount(total) }]}
      />
      {hasMore && <p className="text-sm text-muted">There are more.</p>}
    </div>
  )
}

function nameOf({ from, isPage }: BrokenLink): string {
  if (from === '') return 'Unknown'
  return isPage ? readablePath(from) : from
}
