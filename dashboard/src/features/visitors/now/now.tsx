// Who reads now: the visitors of the last five minutes, and the pages that they view.

import { useQuery } from '@tanstack/react-query'
import { type Asked, realtimeQuery } from '../../../api/visitors.ts'
import { formatCount, readablePath } from '../format.ts'

export function Now({ asked }: { readonly asked: Asked }) {
  const { data } = useQuery(realtimeQuery(asked))
  const { visitors, views, pages } = data?.now ?? {}
  return (
    <section
      aria-label="Now"
      className="mb-3 flex min-h-17 flex-wrap content-start sm:min-h-5 items-baseline gap-x-4 gap-y-1 text-sm tabular-nums"
    >
      {visitors && views && (
        <>
          <span>
            <span className="font-semibold">{count(visitors.total, 'visitor')}</span> in the last five minutes
          </span>
          {views.total > 0 && (
            <span className="text-muted">
              {count(visitors.human, 'human')}, {formatCount(visitors.ai)} AI, {count(views.total, 'page view')}
            </span>
          )}
        </>
      )}
      {pages && pages.length > 0 && (
        <details className="min-w-0 open:basis-full">
          <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">Pages viewed now</summary>
          <ul className="mt-1">
            {pages.map(({ path, views: { total } }) => (
              <li key={path} className="flex max-w-prose justify-between gap-4">
                <span className="min-w-0 truncate" title={path}>
                  {readablePath(path)}
                </span>
                <span className="shrink-0 text-muted">{count(total, 'page view')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function count(number: number, thing: string): string {
  return `${formatCount(number)} ${thing}${number === 1 ? '' : 's'}`
}
