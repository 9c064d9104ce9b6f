// A text with a button that copies it.

import { useState } from 'react'
import { Button } from './button.tsx'

type Props = {
  readonly text: string
  readonly label?: string
  /** The name of the text, for screen readers where several are together. */
  readonly of?: string
}

export function Copy({ text, label = 'Copy', of }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    // Not offered on plain http from another machine.
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setState(done ? 'copied' : 'failed')
    setTimeout(() => setState('idle'), 2_000)
  }
  const words = { idle: label, copied: 'Copied', failed: 'Select and copy it' }
  return (
    <Button size="small" onClick={() => void copy()}>
      <span aria-live="polite">
        {words[state]}
        {of !== undefined && state === 'idle' && <span className="sr-only"> {of}</span>}
      </span>
    </Button>
  )
}

export function CopyBlock({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-sunken p-2">
      <pre aria-label={name} tabIndex={0} className="min-w-0 flex-1 overflow-x-auto font-mono text-sm">
        {text}
      </pre>
      <Copy text={text} of={name} />
    </div>
  )
}
