// Renders the Markdown of the agent. Builds React elements only: HTML in the text stays plain text, and images stay text.

import { createElement, Fragment, type ReactNode } from 'react'
import { ExternalLink } from '../ui/external-link.tsx'
import { type Block, type ListItem, splitBlocks } from './blocks.ts'
import { type Inline, splitInline } from './inline.ts'

type Props = { readonly text: string; readonly depth?: number }

/** Quotes in quotes, and no deeper. */
const mostDepth = 3

export function Prose({ text, depth = 0 }: Props) {
  return createElement(Fragment, null, ...splitBlocks(text).map((block) => toBlock(block, depth)))
}

function toBlock(block: Block, depth: number): ReactNode {
  switch (block.kind) {
    case 'code':
      return <Code code={block.text} />
    case 'quote':
      return (
        <blockquote className="my-2 border-l-2 border-strong-line pl-3 text-muted">
          {depth < mostDepth ? <Prose text={block.text} depth={depth + 1} /> : <Words text={block.text} />}
        </blockquote>
      )
    case 'heading':
      // The outline of the page is that of the dashboard: a heading of the agent is a bold line in it.
      return <Words text={block.text} className={`mt-2 font-semibold ${block.level < 3 ? 'text-base' : ''}`} />
    case 'list':
      return <ul className="my-1">{createElement(Fragment, null, ...block.items.map(toItem))}</ul>
    case 'table':
      return <Grid head={block.head} rows={block.rows} />
    case 'rule':
      return <hr className="my-3 border-line" />
    case 'text':
    default:
      return <Words text={block.text} className="my-1 first:mt-0 last:mb-0" />
  }
}

/** One paragraph. */
export function Words({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return createElement('p', { className: `break-words whitespace-pre-wrap ${className}` }, ...toElements(text))
}

const indents = ['', 'ml-5', 'ml-10', 'ml-15'] as const

function toItem({ depth, mark, text }: ListItem): ReactNode {
  const sign = /^\d/.test(mark) ? mark : '•'
  return (
    <li className={`flex gap-2 ${indents[depth] ?? ''}`}>
      <span aria-hidden={sign === '•' || undefined} className="min-w-3 shrink-0 text-muted tabular-nums">
        {sign}
      </span>
      <span className="min-w-0 break-words whitespace-pre-wrap">
        {createElement(Fragment, null, ...toElements(text))}
      </span>
    </li>
  )
}

type GridProps = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

function Grid({ head, rows }: GridProps) {
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    createElement(
      'tr',
      { className: 'border-t border-line first:border-t-0' },
      ...texts.map((text) =>
        createElement(
          tag,
          { className: 'px-2.5 py-1 align-top', ...(tag === 'th' && { scope: 'col' }) },
          ...toElements(text),
        ),
      ),
    )
  return (
    <div role="group" aria-label="Table" tabIndex={0} className="my-2 max-w-full overflow-x-auto">
      <table className="rounded border border-line text-left text-sm">
        <thead className="bg-sunken">{cells('th', head)}</thead>
        {createElement('tbody', null, ...rows.map((row) => cells('td', row)))}
      </table>
    </div>
  )
}

function Code({ code }: { readonly code: string }) {
  return (
    <pre tabIndex={0} className="my-2 max-h-96 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
      {code}
    </pre>
  )
}

function toElements(text: string): readonly ReactNode[] {
  return splitInline(text).map(toElement)
}

function toElement(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">{part.text}</code>
    case 'link':
      return <Leading href={part.href} parts={part.parts} />
    case 'strong':
    case 'em':
    case 'del':
    default:
      return createElement(part.kind, null, ...part.parts.map(toElement))
  }
}

/** Where a link leads is beside it, unless its words say so: the words are a model's. */
function Leading({ href, parts }: { readonly href: string; readonly parts: readonly Inline[] }) {
  const host = URL.parse(href)?.host ?? ''
  const words = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return (
    <>
      <ExternalLink href={href}>{createElement(Fragment, null, ...parts.map(toElement))}</ExternalLink>
      {words !== href && <span className="text-muted"> ({host})</span>}
    </>
  )
}
