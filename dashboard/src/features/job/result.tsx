// The last words of a run, where no pull request says them first: a question, a response without a change, and what is
// left when a budget ended the run.

import type { Job } from '../../api/jobs.ts'
import { Prose } from './prose/prose.tsx'

const titles = {
  question: 'The agent waits for you',
  no_change: 'Nothing was changed in this run',
  change: 'A budget ended this run: only a part of the work is in the pull request',
} as const

export function ResultNotice({ job: { result, outcome } }: { readonly job: Job }) {
  if (result === null || (result.kind === 'change' && outcome !== 'partial')) return null
  const ground = result.kind === 'no_change' ? 'bg-raised' : 'bg-warn-soft'
  return (
    <section aria-label={titles[result.kind]} className={`mb-6 rounded-lg border border-line px-4 py-3 ${ground}`}>
      <p className="mb-1 font-semibold">{titles[result.kind]}</p>
      <Prose text={result.text} />
      {result.kind === 'question' && (
        <p className="mt-1 text-sm text-muted">
          Nothing of this run is published. Send your response below: the agent continues with its edits.
        </p>
      )}
    </section>
  )
}
