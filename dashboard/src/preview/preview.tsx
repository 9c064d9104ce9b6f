// A page or an image before and after a change, side by side. The service makes its HTML safe; the frame has no rights, so
// even HTML that is not safe could do nothing.

import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { Refused, Skeleton } from '../ui/notice.tsx'
import { toDocument } from './to-document.ts'

export type PreviewQuery = UseQueryOptions<string, Error, string, readonly string[]>

/** Undefined: the file is not there on this side. */
type Side = PreviewQuery | undefined

export function Preview({ path, base, head }: { readonly path: string; readonly base: Side; readonly head: Side }) {
  return (
    <div className={`grid gap-px bg-line font-sans ${base && head ? 'md:grid-cols-2' : ''}`}>
      {base && <Frame title="Before" path={path} query={base} />}
      {head && <Frame title="After" path={path} query={head} />}
    </div>
  )
}

type FrameProps = { readonly title: string; readonly path: string; readonly query: PreviewQuery }

function Frame({ title, path, query }: FrameProps) {
  const page = useQuery(query)
  return (
    <section className="bg-ground">
      <p className="border-b border-line px-4 py-1 text-sm text-muted">{title}</p>
      <div className="h-112">
        {page.isPending && (
          <div className="flex flex-col gap-3 p-4">
            <Skeleton className="h-7 w-1/2" />
            <Skeleton />
            <Skeleton />
            <Skeleton className="h-4 w-2/3" />
          </div>
        )}
        {page.isError && (
          <div className="p-4">
            <Refused error={page.error} retry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && (
          <iframe
            sandbox=""
            title={`${title}: ${path}`}
            srcDoc={toDocument('Preview', page.data)}
            className="size-full"
            referrerPolicy="no-referrer"
          />
        )}
      </div>
    </section>
  )
}
