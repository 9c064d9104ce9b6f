// Renders the agent's text: paragraphs, quotes, code blocks, inline code. Builds React elements only; HTML in the text stays
// plain text.

import { createElement, Fragment, type ReactNode } from 'react'
import { type Block, splitBlocks, splitInline } from './blocks.ts'

export function Prose({ text }: { readonly text: string }) {
  return createElement(Fragment, null, ...splitBlocks(text).map(toBlock))
}

function toBlock({ kind, text }: Block): ReactNode {
  if (kind === 'code') return <Code code={text} />
  return kind === 'quote' ? <Quote text={text} /> : <Paragraphs text={text} />
}

function Code({ code }: { readonly code: string }) {
  return (
    <pre tabIndex={0} className="my-2 max-h-96 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
      {code}
    </pre>
  )
}

function Paragraphs({ text }: { readonly text: string }) {
  const parts = splitInline(text).map(toInline)
  return createElement('p', { className: 'break-words whitespace-pre-wrap' }, ...parts)
}

function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="my-2 border-l-2 border-strong-line pl-3 text-muted">
      <Paragraphs text={text} />
    </blockquote>
  )
}

function toInline({ kind, text }: Block): ReactNode {
  if (kind === 'text') return text
  return <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">{text}</code>
}
