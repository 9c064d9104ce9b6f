// Text of the agent: paragraphs, code blocks and inline code. Made of React elements alone; nothing of it is markup.

import type { ReactNode } from 'react'

export function Prose({ text }: { readonly text: string }) {
  return text
    .split(/^(```[\s\S]*?(?:^```[^\S\n]*$|$(?![\s\S])))/m)
    .map((part, index) =>
      part.startsWith('```') ? <Code key={index} block={part} /> : <Text key={index} text={part} />,
    )
}

function Code({ block }: { readonly block: string }) {
  const code = block.replace(/^```.*\n?/, '').replace(/\n?```\s*$/, '')
  return (
    <pre tabIndex={0} className="my-2 max-h-96 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[0.8125rem]">
      {code}
    </pre>
  )
}

function Text({ text }: { readonly text: string }): ReactNode {
  const trimmed = text.replace(/^\n+|\s+$/g, '')
  if (trimmed === '') return null
  return (
    <p className="break-words whitespace-pre-wrap">
      {trimmed.split(/(`[^`\n]+`)/).map((part, index) =>
        part.startsWith('`') && part.length > 2 ? (
          <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">
            {part.slice(1, -1)}
          </code>
        ) : (
          part
        ),
      )}
    </p>
  )
}
