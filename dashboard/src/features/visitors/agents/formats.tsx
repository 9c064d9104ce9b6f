// The page views of AI agents by the form that they asked for: Markdown, with the lists for models in it, and HTML.

import { useQuery } from '@tanstack/react-query'
import { type Asked, type Filters, llmsViewsQuery, viewTotalsQuery } from '../../../api/visitors.ts'
import { narrow } from '../filters/filters.ts'
import { formatCount } from '../format.ts'

export function AgentFormats({ asked }: { readonly asked: Asked }) {
  const markdown = useViews(asked, narrow(asked.filters, 'representation', 'markdown'))
  const html = useViews(asked, narrow(asked.filters, 'representation', 'html'))
  const llms = useQuery(llmsViewsQuery(asked))
  return (
    <section aria-label="Page views by AI agents" className="mb-3">
      <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3">
        <Tile name="Page views as Markdown" count={markdown} />
        <Tile name="Of these, llms.txt and the like" count={llms.data} />
        <Tile name="Page views as HTML" count={html} />
      </dl>
    </section>
  )
}

/** Undefined: they are on their way. */
function useViews(asked: Asked, filters: Filters | undefined): number | undefined {
  const query = viewTotalsQuery({ ...asked, filters: filters ?? asked.filters })
  const { data } = useQuery({ ...query, enabled: filters !== undefined })
  return filters === undefined ? 0 : data?.ai
}

function Tile({ name, count }: { readonly name: string; readonly count: number | null | undefined }) {
  return (
    <div className="min-w-0 bg-raised px-4 py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-h-8 text-2xl font-semibold tabular-nums">
        {typeof count === 'number' && <data value={count}>{formatCount(count)}</data>}
        {count === null && 'Unknown'}
      </dd>
    </div>
  )
}
