// The last words of the agent, where no pull request has them: its question, or its response without a change.

import type { Job } from '../../api/jobs.ts'
import { Prose } from './prose/prose.tsx'

const titles = { question: 'The agent asks you', no_change: 'Nothing was changed in this run' } as const

export function ResultNotice({ job: { result } }: { readonly job: Job }) {
  if (result === null || result.kind === 'change') return null
  const ground = result.kind === 'question' ? 'bg-warn-soft' : 'bg-raised'
  return (
    <section aria-label={titles[result.kind]} className={`mb-6 rounded-lg border border-line px-4 py-3 ${ground}`}>
      <p className="font-medium">{titles[result.kind]}</p>
      <Prose text={result.text} />
      {result.kind === 'question' && (
        <p className="mt-1 text-sm text-muted">
          Nothing of this run is published. Send your response below: the agent continues with its edits.
        </p>
      )}
    </section>
  )
}
