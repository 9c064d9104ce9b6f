// One verdict of the policy: the result, the path, and the reasons.

import type { ReactNode } from 'react'
import type { FileVerdict } from '../../../../api/projects.ts'
import { Badge, type Tone } from '../../../../ui/badge.tsx'

type Result = FileVerdict['result']

const tones: Readonly<Record<Result, Tone>> = {
  allowed: 'good',
  shown: 'warn',
  protected: 'warn',
  denied: 'bad',
  refused: 'bad',
}

type Props = { readonly path: string; readonly result: Result; readonly children: ReactNode }

export function Verdict({ path, result, children }: Props) {
  return (
    <span className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <span className="w-20 shrink-0">
        <Badge tone={tones[result]}>{result}</Badge>
      </span>
      <span className="min-w-0 flex-1 basis-60">
        <code className="font-mono text-sm break-all">{path}</code>
        <span className="block text-sm text-muted">{children}</span>
      </span>
    </span>
  )
}
