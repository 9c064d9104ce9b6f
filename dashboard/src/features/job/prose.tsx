// Text of the agent: paragraphs, code blocks and inline code. Made of React elements alone; nothing of it is markup.

import { createElement, Fragment, type ReactNode } from 'react'

export function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/^(```[\s\S]*?(?:^```[^\S\n]*$|$(?![\s\S])))/m)
  return createElement(Fragment, null, ...parts.map(toBlock))
}

function toBlock(part: string): ReactNode {
  return part.startsWith('```') ? <Code block={part} /> : <Text text={part} />
}

function Code({ block }: { readonly block: string }) {
  const code = block.replace(/^```.*\n?/, '').replace(/\n?```\s*$/, '')
  return (
    <pre tabIndex={0} className="my-2 max-h-96 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
      {code}
    </pre>
  )
}

function Text({ text }: { readonly text: string }) {
  const trimmed = text.replace(/^\n+|\s+$/g, '')
  if (trimmed === '') return null
  const parts = trimmed.split(/(`[^`\n]+`)/)
  return createElement('p', { className: 'break-words whitespace-pre-wrap' }, ...parts.map(toInline))
}

function toInline(part: string): ReactNode {
  if (!part.startsWith('`') || part.length < 3) return part
  return <code className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">{part.slice(1, -1)}</code>
}
