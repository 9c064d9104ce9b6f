// One line of the transcript, by its kind.

import type { JSX, ReactNode } from 'react'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Item } from './items.ts'
import { Turn } from './turn/turn.tsx'

type Props = {
  readonly item: Item
  readonly unfolded: ReadonlySet<string>
  readonly onFold: (key: string) => void
}

export function TranscriptLine({ item, unfolded, onFold }: Props): JSX.Element {
  switch (item.kind) {
    case 'message':
      return <Message prompt={item.prompt} at={item.at} />
    case 'turn':
      return <Turn turn={item} unfolded={unfolded} onFold={onFold} />
    case 'run':
      return (
        <Divider>
          Run {item.number} with <span className="font-mono">{item.model}</span> · <RelativeTime at={item.at} />
        </Divider>
      )
    case 'warning':
      return (
        <Callout ground="bg-warn-soft" ink="text-warn" title={item.title}>
          {item.text}
        </Callout>
      )
    case 'failure':
      return <Failed code={item.code} text={item.text} />
    case 'pull':
      return (
        <Callout ground="bg-good-soft" ink="text-good" title="The change is in a pull request">
          <a href={item.href} className="break-all text-accent underline">
            {item.href}
          </a>
        </Callout>
      )
    case 'note':
    default:
      return <Divider>{item.text}</Divider>
  }
}

function Message({ prompt, at }: { readonly prompt: string; readonly at: string }) {
  return (
    <div className="my-1.5 rounded-lg bg-accent-soft px-4 py-3">
      <p className="whitespace-pre-wrap">{prompt}</p>
      <p className="mt-1 text-xs text-muted">
        <RelativeTime at={at} />
      </p>
    </div>
  )
}

function Divider({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 py-2 text-xs text-muted">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <span>{children}</span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  )
}

/** The page says the whole of it above; here the first line is enough to begin with. */
function Failed({ code, text }: { readonly code: string; readonly text: string }) {
  const [first = '', ...rest] = text.split('\n')
  return (
    <Callout ground="bg-bad-soft" ink="text-bad" title={code === 'cancelled' ? 'Cancelled' : 'The run failed'}>
      {rest.length === 0 ? (
        first
      ) : (
        <details>
          <summary className="cursor-pointer">{first}</summary>
          {rest.join('\n')}
        </details>
      )}
    </Callout>
  )
}

type CalloutProps = {
  readonly ground: string
  readonly ink: string
  readonly title: string
  readonly children: ReactNode
}

function Callout({ ground, ink, title, children }: CalloutProps) {
  return (
    <div className={`my-1.5 rounded-lg px-4 py-2.5 ${ground}`}>
      <p className={`font-medium ${ink}`}>{title}</p>
      <div className="text-sm whitespace-pre-line">{children}</div>
    </div>
  )
}
