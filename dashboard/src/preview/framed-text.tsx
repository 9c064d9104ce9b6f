// Markdown of a model or a person, as the service made it safe HTML. The frame has no scripts, forms or pop-ups. It has the
// origin of the dashboard, so that its height can be read.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Refused, Skeleton } from '../ui/notice.tsx'
import type { PreviewQuery } from './preview.tsx'
import { toDocument } from './to-document.ts'

/** A longer text scrolls. */
const mostHeight = 4_000
/** Until the height is known: the page below moves less than from nothing. */
const usualHeight = 160

export function FramedText({ title, query }: { readonly title: string; readonly query: PreviewQuery }) {
  const text = useQuery(query)
  return (
    <section aria-label={title} className="mb-5 overflow-hidden rounded-lg border border-line">
      {text.isPending && <Skeleton className="m-4" />}
      {text.isError && <Refused error={text.error} retry={() => void text.refetch()} />}
      {text.isSuccess && <Frame title={title} html={text.data} />}
    </section>
  )
}

function Frame({ title, html }: { readonly title: string; readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(usualHeight)
  const measure = () => {
    const content = frame.current?.contentDocument?.body
    if (content) setHeight(Math.min(content.scrollHeight, mostHeight))
  }
  useEffect(() => {
    if (!frame.current) return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return (
    <iframe
      ref={frame}
      sandbox="allow-same-origin"
      title={title}
      srcDoc={toDocument(title, html)}
      onLoad={measure}
      style={{ height }}
      className="block w-full"
      referrerPolicy="no-referrer"
    />
  )
}
