// A line of the transcript that unfolds, and the long texts within. Everything in it is shown as plain text.

import type { ReactNode } from 'react'

type Props = {
  /** Before the name, for screen readers. */
  readonly verb?: string
  readonly name: string
  readonly about: string
  readonly aside: ReactNode
  readonly isOpen: boolean
  readonly onFold: () => void
  readonly children: ReactNode
}

export function Fold({ verb, name, about, aside, isOpen, onFold, children }: Props) {
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onFold}
        className="flex w-full cursor-pointer items-baseline gap-2 rounded px-1.5 py-0.5 text-left text-sm hover:bg-sunken"
      >
        <span aria-hidden className="w-2 shrink-0 text-xs text-muted">
          {isOpen ? '▾' : '▸'}
        </span>
        {verb !== undefined && <span className="sr-only">{verb} </span>}
        <span className="shrink-0 font-mono text-[0.8125rem]">{name}</span>
        <span className="min-w-0 shrink truncate text-muted">{about}</span>
        {aside}
      </button>
      {isOpen && <div className="mt-1 mb-2 ml-5 flex flex-col gap-1">{children}</div>}
    </>
  )
}

type TextProps = { readonly label: string; readonly text: string; readonly isBad?: boolean }

/** Scrolls where the text is long. */
export function FoldedText({ label, text, isBad = false }: TextProps) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className={`max-h-80 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem] whitespace-pre-wrap ${isBad ? 'text-bad' : ''}`}
    >
      {text}
    </pre>
  )
}
